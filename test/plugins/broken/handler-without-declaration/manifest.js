import { manifestOf } from '../../kit.js';

export default manifestOf('handler-without-declaration');
