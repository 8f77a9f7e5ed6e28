import { moduleOf } from '../../kit.js';

export default moduleOf();
