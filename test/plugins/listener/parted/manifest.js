import { manifestOf } from '../../kit.js';

export default manifestOf('parted', {
  credentials: { type: 'object', properties: { token: { type: 'string', secret: true } } },
});
