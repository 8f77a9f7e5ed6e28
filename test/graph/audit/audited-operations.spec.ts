import type { AuditResponse } from '#graph/audit/audit.service.js';
import { FakeCalcom } from '../../fakes/calcom/server.ts';
import { record, state } from '../../support/graph/graph-calls.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';
import { documentAt, operationsIn } from '../../support/open-api.js';
import { serveCrm } from '../../support/plugins/crm-plugin.js';

/** Operations that write facts, which the append-only log of observations records itself, with their source. */
const FACTS = [
  'addLeads',
  'addManyLeads',
  'changeLead',
  'changeLeadById',
  'changePerson',
  'changePersonByFocus',
  'createPerson',
  'csvImportChange',
  'csvImportRemove',
  'csvImportStart',
  'csvImportUndo',
  'csvImportUpload',
  'loadSampleData',
  'recordFromText',
  'recordObservations',
  'saveNote',
];

/**
 * Operations that change no setting: reads with a body, links for a sign-in, and those that try or repeat what is
 * configured already, and marks of attention items, which say themselves who set them.
 */
const NO_SETTINGS = [
  'authorizeConnection',
  'authorizeIntegration',
  'calcomBackfill',
  'countCompanyFacets',
  'countPeopleFacets',
  'dedup',
  'finishAttentionItem',
  'getContext',
  'queryObservations',
  'reopenAttentionItem',
  'recoverTrigger',
  'retryTriggerDelivery',
  'scoreLeads',
  'searchNotes',
  'snoozeAttentionItem',
  'unsnoozeAttentionItem',
  'testConnection',
  'testIntegration',
  'listConnectionOptions',
  'listIntegrationOptions',
  'testTrigger',
  'triggersRecover',
  'triggersRetry',
  'triggersTest',
  'verifyFact',
];

/** Operations of people who sign in: the sign-in itself, and members and invitations; their tests are beside them. */
const SIGN_IN = [
  'decideApproval',
  'identifyApprover',
  'acceptInvitation',
  'addPasskey',
  'beginPasskey',
  'beginPasskeySignIn',
  'beginSingleSignOn',
  'connectSingleSignOn',
  'disconnectSingleSignOn',
  'beginSecondFactor',
  'changeMember',
  'confirmSecondFactor',
  'createWorkspace',
  'disableSecondFactor',
  'endOtherSessions',
  'endSession',
  'removeMember',
  'removePasskey',
  'replaceRecoveryCodes',
  'resetPassword',
  'setUp',
  'signIn',
  'signInByPasskey',
  'signOut',
  'updateCurrentUser',
  'withdrawInvitation',
];

/** A request of an operation, and the action that the audit log has for it. */
interface Audited {
  readonly action: string;
  request(client: Client): Promise<{ readonly status: number; readonly body: unknown }>;
}

const TRIGGERS = '/v2/plugins/triggers/triggers';
const CORE_TRIGGERS = '/v2/workspace/triggers';
const URL_OF_RECEIVER = { url: 'https://localhost:1/secret-path', events: ['reply.received'] };

async function createTrigger(client: Client): Promise<string> {
  const { body } = await client.post<{ trigger: { id: string } }>(TRIGGERS, URL_OF_RECEIVER);
  return body.trigger.id;
}

async function createKey(client: Client): Promise<string> {
  return (await client.post<{ id: string }>('/v2/api-keys', { name: 'Agent' })).body.id;
}

async function createList(client: Client): Promise<string> {
  const { body } = await client.post<{ lead_list: { id: string } }>('/v2/lead-lists', { name: 'Autumn' });
  return body.lead_list.id;
}

async function createView(client: Client): Promise<string> {
  const view = { resource: 'people', name: 'Ada', query: { search: 'ada' } };
  return (await client.post<{ id: string }>('/v2/workspace/views', view)).body.id;
}

async function createPair(client: Client): Promise<{ a: string; b: string }> {
  await record(client, 'ada@acme.com', [state('name', 'Ada')]);
  await record(client, 'ada@acme.io', [state('name', 'Ada')]);
  return { a: 'ada@acme.com', b: 'ada@acme.io' };
}

/** Returns the path of a run of a plugin in a status. */
async function insertRun({ workspaceId }: Client, status: string): Promise<string> {
  const { rows } = await hub.database.pool.query<{ id: string }>(
    `INSERT INTO plugin_runs (workspace_id, id, plugin, name, input, status)
     VALUES ($1, gen_random_uuid(), 'triggers', 'Ada', '{"secret":"sk_secret"}', $2) RETURNING id`,
    [workspaceId, status],
  );
  return `/v2/plugins/triggers/runs/${rows[0]!.id}`;
}

const controlRun = (action: string, status: string): Audited => ({
  action: `run.${action}`,
  request: async client => client.post(`${await insertRun(client, status)}/${action}`, {}),
});

const connectCrm = (client: Client) =>
  client.post<{ connection: { id: string } }>('/v2/workspace/integrations', {
    provider: 'crm',
    credentials: { api_key: 'sk_secret' },
  });

/** Returns the path of a new connection to the CRM by its ID. */
async function createConnection(client: Client): Promise<string> {
  return `/v2/workspace/integrations/crm/connections/${(await connectCrm(client)).body.connection.id}`;
}

/** Every operation that changes a setting of the workspace. */
const SETTINGS: Readonly<Record<string, Audited>> = {
  allowReimport: {
    action: 'person.allow_reimport',
    request: async client => {
      await record(client, 'ada@acme.com', [state('title', 'CTO')]);
      const erased = await client.post<{ erasure: { id: string }; id: string }>('/v2/people/ada@acme.com/erase', {});
      return client.post(`/v2/erasures/${erased.body.id ?? erased.body.erasure.id}/allow-reimport`, {});
    },
  },
  retractSource: {
    action: 'observation.retract',
    request: async client => {
      await record(client, 'ada@acme.com', [state('title', 'CTO', { source: 'csv:sk_secret' })]);
      return client.post('/v2/retractions', { source: 'csv:sk_secret', reason: 'Ada is wrong' });
    },
  },
  removeSampleData: {
    action: 'observation.retract',
    async request(client) {
      await client.post('/v2/workspace/sample-data', {});
      return client.delete('/v2/workspace/sample-data');
    },
  },
  retractObservation: {
    action: 'observation.retract',
    request: async client => {
      const { observation_ids } = await record(client, 'ada@acme.com', [state('title', 'CTO')]);
      return client.post(`/v2/observations/${observation_ids[0]}/retract`, { reason: 'Ada is wrong' });
    },
  },
  attachLeadList: {
    action: 'lead_list.create',
    request: client => client.post('/v2/lead-lists/attach', { name: 'Autumn', rows: [{ email: 'ada@acme.com' }] }),
  },
  buildIcpModel: {
    action: 'scoring_model.change',
    request: client => client.post('/v2/workspace/scoring-model', { description: 'Software companies in Germany' }),
  },
  cancelRun: controlRun('cancel', 'running'),
  changeRetention: {
    action: 'retention.change',
    request: client => client.patch('/v2/workspace/retention', { page_visits: 90 }),
  },
  changeTrust: {
    action: 'trust.change',
    request: client =>
      client.post('/v2/workspace/trust', { trust: [{ match: 'crm/*', r: 0.5, class: 'reported' }], note: 'x' }),
  },
  configureCrmSync: {
    action: 'integration.change',
    request: async client => {
      await connectCrm(client);
      return client.post('/v2/workspace/crm-sync', { provider: 'hubspot', auto_sync: true });
    },
  },
  connectIntegration: { action: 'integration.connect', request: connectCrm },
  createApiKey: { action: 'api_key.create', request: client => client.post('/v2/api-keys', { name: 'Agent' }) },
  createInvitation: {
    action: 'member.invite',
    request: client => client.post('/v2/workspace/invitations', { email: 'ada@acme.com', role: 'member' }),
  },
  createView: {
    action: 'view.create',
    request: client =>
      client.post('/v2/workspace/views', { resource: 'people', name: 'Ada', query: { search: 'ada' } }),
  },
  deleteView: {
    action: 'view.delete',
    request: async client => client.delete(`/v2/workspace/views/${await createView(client)}`),
  },
  updateView: {
    action: 'view.change',
    request: async client => client.patch(`/v2/workspace/views/${await createView(client)}`, { name: 'Eve' }),
  },
  createLeadList: {
    action: 'lead_list.create',
    request: client => client.post('/v2/lead-lists', { name: 'Autumn' }),
  },
  deleteLeadList: {
    action: 'lead_list.delete',
    request: async client => client.delete(`/v2/lead-lists/${await createList(client)}`),
  },
  deleteTrigger: {
    action: 'triggers.delete',
    request: async client => client.delete(`${CORE_TRIGGERS}/${await createTrigger(client)}`),
  },
  changeIntegration: {
    action: 'integration.change',
    request: async client => {
      await connectCrm(client);
      return client.patch('/v2/workspace/integrations/crm', { name: 'Renamed' });
    },
  },
  changeConnection: {
    action: 'integration.change',
    request: async client => client.patch(await createConnection(client), { name: 'Renamed' }),
  },
  disconnectConnection: {
    action: 'integration.disconnect',
    request: async client => client.delete(await createConnection(client)),
  },
  disconnectIntegration: {
    action: 'integration.disconnect',
    request: async client => {
      await connectCrm(client);
      return client.delete('/v2/workspace/integrations/crm');
    },
  },
  erasePerson: {
    action: 'person.erase',
    request: async client => {
      await record(client, 'ada@acme.com', [state('title', 'CTO')]);
      return client.post('/v2/people/ada@acme.com/erase', {});
    },
  },
  exportWorkspace: {
    action: 'workspace.export',
    request: async client => {
      const response = await fetch(`${hub.url}/v2/workspace/export`, {
        method: 'POST',
        headers: { authorization: `Bearer ${client.key}` },
      });
      await response.arrayBuffer();
      return { status: response.status, body: {} };
    },
  },
  mergeAccounts: {
    action: 'entity.merge',
    request: async client => {
      const { a, b } = await createPair(client);
      return client.post('/v2/accounts/merge', { keep: a, drop: b });
    },
  },
  mergeEntities: {
    action: 'entity.merge',
    request: async client => client.post('/v2/entities/merge', await createPair(client)),
  },
  pauseRun: controlRun('pause', 'queued'),
  resumeRun: controlRun('resume', 'paused'),
  retryRun: controlRun('retry', 'failed'),
  revokeApiKey: {
    action: 'api_key.revoke',
    request: async client => client.delete(`/v2/api-keys/${await createKey(client)}`),
  },
  rotateApiKey: {
    action: 'api_key.rotate',
    request: async client => client.post(`/v2/api-keys/${await createKey(client)}/rotate`, {}),
  },
  rotateTriggerSecret: {
    action: 'triggers.rotate_secret',
    request: async client => client.post(`${CORE_TRIGGERS}/${await createTrigger(client)}/rotate-secret`, {}),
  },
  setTrigger: {
    action: 'triggers.create',
    request: client => client.post(CORE_TRIGGERS, URL_OF_RECEIVER),
  },
  renameWorkspace: {
    action: 'section.change',
    request: client => client.patch('/v2/workspace', { name: 'Acme' }),
  },
  setWorkspaceProfile: {
    action: 'section.change',
    request: client => client.post('/v2/workspace/onboarding', { name: 'Acme', website: 'acme.com' }),
  },
  triggersChange: {
    action: 'triggers.change',
    request: async client => client.patch(`${TRIGGERS}/${await createTrigger(client)}`, { active: false }),
  },
  triggersCreate: { action: 'triggers.create', request: client => client.post(TRIGGERS, URL_OF_RECEIVER) },
  triggersRemove: {
    action: 'triggers.delete',
    request: async client => client.delete(`${TRIGGERS}/${await createTrigger(client)}`),
  },
  triggersRotate: {
    action: 'triggers.rotate_secret',
    request: async client => client.post(`${TRIGGERS}/${await createTrigger(client)}/rotate-secret`, {}),
  },
  unmergeEntities: {
    action: 'entity.unmerge',
    request: async client => {
      const pair = await createPair(client);
      await client.post('/v2/entities/merge', pair);
      return client.post('/v2/entities/unmerge', pair);
    },
  },
  updateTrigger: {
    action: 'triggers.change',
    request: async client => client.patch(`${CORE_TRIGGERS}/${await createTrigger(client)}`, { active: false }),
  },
  writeWorkspaceFact: {
    action: 'section.change',
    request: client => client.post('/v2/workspace/facts', { section: 'pricing', content: { champion: 'eve@x.test' } }),
  },
};

let hub: TestHub;
let calcom: FakeCalcom;

beforeAll(async () => {
  calcom = await FakeCalcom.start();
  hub = await startTestHub({ CALENDAR_API_URL: calcom.url, TRIGGERS_EGRESS_ALLOWLIST: 'localhost' });
  await serveCrm(hub);
});
afterAll(async () => {
  await hub?.end();
  await calcom?.close();
});

it('every operation of the document that writes is a setting with an audit entry, or listed as none', async () => {
  const writing = operationsIn(await documentAt(hub.url)).filter(({ method }) => method !== 'GET');
  const listed = [...Object.keys(SETTINGS), ...FACTS, ...NO_SETTINGS, ...SIGN_IN];
  expect(writing.map(({ operationId }) => operationId).toSorted()).toEqual(listed.toSorted());
});

it.each(Object.entries(SETTINGS))('%s is recorded, without secrets, names and addresses', async (_, audited) => {
  const client = await hub.workspace();
  const { status, body } = await audited.request(client);
  expect({ isDone: status < 300, body }).toEqual({ isDone: true, body });
  const events = (await client.get<AuditResponse>('/v2/workspace/audit?actor=key')).body.events;
  const recorded = events.find(({ action }) => action === audited.action);
  expect(recorded).toMatchObject({ address: '127.0.0.1', client: 'api', request_id: expect.any(String) });
  expect(recorded!.object.id === null).toBe(['retention.change', 'trust.change'].includes(audited.action));
  const secret = (body as { trigger?: { secret?: string }; secret?: string }).trigger?.secret ?? 'sk_secret';
  for (const hidden of [secret, 'sk_secret', 'secret-path', '@acme', 'eve@x.test', 'Ada'])
    expect(JSON.stringify(events)).not.toContain(hidden);
});
