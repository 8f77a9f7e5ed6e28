import { manifestOf } from '../../kit.js';

export default manifestOf('twin');
