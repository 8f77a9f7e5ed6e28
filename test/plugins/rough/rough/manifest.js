import { manifestOf, toolManifest } from '../../kit.js';

const quick = { attempts: 3, backoff: { type: 'fixed', delayMs: 10 } };

export default manifestOf('rough', {
  jobs: {
    throws: quick,
    ends: quick,
    hangs: { ...quick, attempts: 1, timeoutMs: 300 },
    frees: quick,
    strays: quick,
    leaks: quick,
    later: quick,
    heals: quick,
    counts: { ...quick, concurrency: 2 },
  },
  consumes: ['observation.recorded', 'rough.happened'],
  emits: { 'rough.happened': { type: 'object', properties: { n: { type: 'integer' } } } },
  routes: {
    emit: { method: 'POST', path: 'jobs/:name', auth: 'workspace' },
    happen: { method: 'POST', path: 'events', auth: 'workspace' },
    seen: {
      method: 'GET',
      path: 'seen',
      auth: 'workspace',
      query: { type: 'object', properties: { of: {} }, additionalProperties: false },
    },
    fail: { method: 'POST', path: 'fail', auth: 'workspace' },
    upload: {
      method: 'POST',
      path: 'files',
      auth: 'workspace',
      upload: { maxBytes: 2_000_000, contentTypes: ['text/csv'] },
    },
    scale: { method: 'GET', path: 'scale', auth: 'workspace', minPlan: 'scale' },
    admin: { method: 'GET', path: 'admin', auth: 'workspace', scopes: ['admin'] },
  },
  tools: {
    rough_say: toolManifest,
    rough_scale: { ...toolManifest, minPlan: 'scale' },
    rough_fail: toolManifest,
    rough_leave: toolManifest,
  },
});
