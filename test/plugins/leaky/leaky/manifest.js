import { manifestOf, toolManifest } from '../../kit.js';

const quick = { attempts: 2, backoff: { type: 'fixed', delayMs: 5 } };

export default manifestOf('leaky', {
  credentials: { type: 'object', required: ['token'], properties: { token: { type: 'string', secret: true } } },
  jobs: { tell: quick, end: quick, stray: quick },
  inbound: { post: { signature: { algorithm: 'standard-webhooks', secretFrom: 'generated' } } },
  routes: {
    emit: { method: 'POST', path: 'emit/:name', auth: 'workspace' },
    tell: { method: 'POST', path: 'tell', auth: 'workspace' },
  },
  tools: { leaky_tell: toolManifest },
});
