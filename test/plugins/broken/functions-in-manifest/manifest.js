import { manifestOf } from '../../kit.js';

export default manifestOf('functions-in-manifest', { panels: [() => 'first'] });
