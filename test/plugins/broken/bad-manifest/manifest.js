import { manifestOf } from '../../kit.js';

export default manifestOf('bad-manifest', { minPlan: 'gold', colour: 'red' });
