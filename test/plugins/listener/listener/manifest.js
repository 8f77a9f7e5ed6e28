import { manifestOf } from '../../kit.js';

export default manifestOf('listener', {
  consumes: [
    'observation.recorded',
    'claims.recomputed',
    'contact.created',
    'contact.imported',
    'lead.scored',
    'fact.refresh_requested',
    'note.saved',
    'connection.connected',
    'connection.removed',
  ],
  routes: {
    heard: { method: 'GET', path: 'heard', auth: 'workspace' },
    people: { method: 'POST', path: 'people', auth: 'workspace' },
  },
});
