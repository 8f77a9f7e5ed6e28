import { manifestOf } from '../../kit.js';

export default manifestOf('slow', {
  jobs: { work: { concurrency: 5, timeoutMs: 60_000 }, stray: {} },
  routes: { emit: { method: 'POST', path: 'jobs/:name', auth: 'workspace' } },
});
