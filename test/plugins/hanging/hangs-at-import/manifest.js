import { manifestOf } from '../../kit.js';

export default manifestOf('hangs-at-import');
