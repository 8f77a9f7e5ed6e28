import { manifestOf } from '../../kit.js';

export default manifestOf('no-module');
