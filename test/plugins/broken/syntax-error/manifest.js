import { manifestOf } from '../../kit.js';

export default manifestOf('syntax-error');
