import { manifestOf } from '../../kit.js';

export default manifestOf('throws-at-construction');
