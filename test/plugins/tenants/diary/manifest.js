import { manifestOf } from '../../kit.js';

export default manifestOf('diary', {
  credentials: { type: 'object', required: ['token'], properties: { token: { type: 'string', secret: true } } },
  settings: { type: 'object', properties: { owner: { type: 'string', default: '' } } },
  jobs: { write: { concurrency: 4 }, tick: { everyMs: 10_000 } },
  consumes: ['observation.recorded', 'diary.written'],
  emits: { 'diary.written': { type: 'object', properties: { word: { type: 'string' } } } },
  inbound: { post: { signature: null } },
  routes: {
    emit: { method: 'POST', path: 'words', auth: 'workspace' },
    read: { method: 'GET', path: 'pages', auth: 'workspace' },
  },
});
