import type { Fixtures } from '@rapport/plugin-sdk/testing';

const landed = { entity_id: 'entity-1', observation_id: 'observation-1', property: 'interaction.email_replied' };
const failedRun = {
  run_id: 'run-1',
  plugin: 'acme-dialer',
  run: 'sync',
  title: 'Sync calls',
  sync: true,
  connection_id: null,
  done: 1200,
  reported: 3,
  error: 'The API key was revoked.',
};
const at = '2026-01-05T12:00:00.000Z';
const known = { id: '7c9f2c8e-6a53-4f4e-9b42-0f6b1d4f8a11', delivery: '01767614400000000-1' };
const endpoint = {
  id: known.id,
  name: 'Ours',
  url: 'https://example.org/hooks',
  events: ['reply.received'],
  filter: {},
  headers: {},
  format: 'standard',
  active: true,
  secrets: [{ secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', until: null }],
  created_at: at,
  updated_at: at,
};
const delivery = {
  id: known.delivery,
  message_id: 'msg_1',
  event: 'reply.received',
  entity_id: 'entity-1',
  body: '{"type":"reply.received"}',
  state: 'waiting',
  failures: 0,
  next_at: at,
  created_at: at,
  attempts: [],
};

/** Examples of everything that the manifest declares, for `conformance` and `rapport plugin check`. */
export default {
  provider: () => ({ answer: () => ({ status: 204 }) }),
  store: { [`endpoint:${known.id}`]: endpoint, [`queue:${known.id}:${known.delivery}`]: delivery },
  events: {
    'reply.received': landed,
    'connection.accepted': { ...landed, property: 'interaction.connection_accepted' },
    'meeting.scheduled': { ...landed, property: 'interaction.meeting_scheduled' },
    'run.failed': failedRun,
    'meeting.cancelled': { ...landed, property: 'interaction.meeting_cancelled' },
  },
  jobs: { deliver: { endpoint: known.id } },
  routes: {
    list: {},
    create: { body: { url: 'https://example.org/hooks', events: ['reply.received'] } },
    read: { params: known },
    change: { params: known, body: { active: false } },
    remove: { params: known },
    rotate: { params: known, body: {} },
    test: { params: known, body: {} },
    deliveries: { params: known },
    delivery: { params: known },
    retry: { params: known },
    recover: { params: known, body: { since: '2026-01-01T00:00:00Z' } },
  },
} satisfies Fixtures;
