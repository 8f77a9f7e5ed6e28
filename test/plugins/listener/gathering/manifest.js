import { manifestOf } from '../../kit.js';

export default manifestOf('gathering', {
  consumes: ['note.saved'],
  routes: { taken: { method: 'GET', path: 'taken', auth: 'workspace' } },
});
