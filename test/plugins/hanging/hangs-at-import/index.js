import { moduleOf } from '../../kit.js';

await new Promise(() => undefined);

export default moduleOf();
