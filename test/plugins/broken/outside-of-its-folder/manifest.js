import { manifestOf } from '../../kit.js';

export default manifestOf('outside-of-its-folder');
