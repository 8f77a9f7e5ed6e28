import { manifestOf } from '../../kit.js';

export default manifestOf('wrong-sdk', { sdk: '^9.0.0' });
