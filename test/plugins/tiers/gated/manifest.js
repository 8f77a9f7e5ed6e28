import { manifestOf, toolManifest } from '../../kit.js';

const get = { method: 'GET', auth: 'workspace' };

export default manifestOf('gated', {
  minPlan: 'growth',
  credentials: { type: 'object', properties: { token: { type: 'string', secret: true } } },
  jobs: { work: { concurrency: 4 } },
  consumes: ['observation.recorded'],
  inbound: { post: { signature: null, eventId: { field: 'id' } } },
  routes: {
    seen: { ...get, path: 'seen' },
    top: { ...get, path: 'top', minPlan: 'scale' },
    emit: { method: 'POST', path: 'emit', auth: 'workspace' },
  },
  tools: { gated_say: toolManifest, gated_top: { ...toolManifest, minPlan: 'scale' } },
});
