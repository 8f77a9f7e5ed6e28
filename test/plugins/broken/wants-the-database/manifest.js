import { manifestOf } from '../../kit.js';

export default manifestOf('wants-the-database');
