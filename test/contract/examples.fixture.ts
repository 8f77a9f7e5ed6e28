import { randomUUID } from 'node:crypto';
import { event, record, state } from '../support/graph/graph-calls.js';
import type { Client } from '../support/hub.js';
import type { Operation } from '../support/open-api.js';
import { saveNote } from '../support/graph/notes.js';

/** A request that can be sent as it is. */
export interface Prepared {
  readonly path: string;
  readonly body: unknown;
}

/** What a workspace has been given so that the examples have something to be about. */
interface Ground {
  readonly entity: string;
  readonly note: string;
  readonly list: string;
  readonly lead: string;
  readonly key: string;
  readonly view: string;
  readonly erasure: string;
  /** An observation about the entity. */
  readonly observation: string;
  /** Another person, who was erased. */
  readonly erased: string;
}

/** Which id stands behind `{id}`, by the beginning of the path. */
const held: readonly [start: string, of: (ground: Ground) => string][] = [
  ['/v2/api-keys', ({ key }) => key],
  ['/v2/erasures', ({ erasure }) => erasure],
  ['/v2/attention/', ({ entity }) => `going_dark:${entity}:silence`],
  ['/v2/workspace/views', ({ view }) => view],
  ['/v2/notes', ({ note }) => note],
  ['/v2/leads', ({ lead }) => lead],
  ['/v2/lead-lists', ({ list }) => list],
  ['/v2/observations/{', ({ observation }) => observation],
  ['/v2/companies', () => 'acme.com'],
  ['/v2/', ({ entity }) => entity],
];

/** What queries have to say, by operation. */
const queries: Readonly<Record<string, string>> = {
  searchEntities: '?q=ada',
  previewMerge: '?a=acme.com&b=acme.io',
};

/** Ids that examples name, and what they stand for. */
const standIns: Readonly<Record<string, (ground: Ground) => string>> = {
  id: ({ lead }) => lead,
  lead_id: ({ lead }) => lead,
  list_id: ({ list }) => list,
  lead_list_id: ({ list }) => list,
  contact_id: ({ entity }) => entity,
};

/**
 * Fills a workspace with what the examples speak of, and gives the example as a request about it. Undefined for what
 * asks somebody else, or needs a session: those are tried with their plugins, and in a browser.
 */
export async function preparedFor(client: Client, operation: Operation, body: unknown): Promise<Prepared | undefined> {
  if (operation.path.startsWith('/v2/plugins/')) return undefined;
  if (operation.path.includes('/integrations') && operation.operationId !== 'listIntegrations') return undefined;
  if (/\/(?:triggers|crm-sync)(?:\/|$)/.test(operation.path) && operation.operationId !== 'getCrmSync')
    return undefined;
  if (/^\/auth\/|^\/v2\/workspaces$|\/workspace\/(?:members|invitations)\/\{/.test(operation.path)) return undefined;
  const ground = await fill(client);
  const ofPath = held.find(([start]) => operation.path.startsWith(start))![1];
  const id = operation.operationId === 'getPersonErasure' ? ground.erased : ofPath(ground);
  const query = queries[operation.operationId] ?? '';
  const path = operation.path.replace('{id}', encodeURIComponent(id)).replace('{property}', 'title');
  if (operation.path.startsWith('/v2/attention/')) await markItem(client, path);
  return { path: path + query, body: withIds(body, ground) };
}

async function fill(client: Client): Promise<Ground> {
  const ada = await record(client, 'ada@acme.com', [
    state('name', 'Ada Lovelace'),
    state('title', 'VP Sales'),
    state('stage', 'evaluating', { source: 'crm:hubspot' }),
    state('stage', 'proposal', { source: 'agent' }),
    state('technologies', ['PostgreSQL', 'Kafka']),
    event('email_replied', { value: { description: 'Asked for the price.' }, external_id: 'msg-1' }),
    event('meeting_scheduled', { value: { title: 'Demo', start: '2026-12-01T10:00:00Z' } }),
  ]);
  await record(client, 'acme.io', [state('name', 'Acme Labs')]);
  await record(client, 'https://www.linkedin.com/in/ada', [state('name', 'Ada L.')]);
  const note = await saveNote(client, 'ada@acme.com', 'Ada: we renew in March.', { title: 'Renewal' });
  const attached = await client.post<{ list_id: string; results: { lead_id: string }[] }>('/v2/lead-lists/attach', {
    name: 'Autumn',
    rows: [{ email: 'ada@acme.com', fields: { opener: 'Saw your talk' } }],
  });
  await client.post('/v2/workspace/facts', { section: 'pricing', content: { seat: 40 } });
  const key = await client.post<{ id: string }>('/v2/api-keys', { name: 'Other' });
  const view = { resource: 'people', name: 'Engineers', query: { search: 'engineer' } };
  const saved = await client.post<{ id: string }>('/v2/workspace/views', view);
  const { entity_id: erased } = await record(client, `eve-${randomUUID()}@acme.com`, [state('title', 'CFO')]);
  const erasure = await client.post<{ id: string }>(`/v2/people/${erased}/erase`, {});
  return {
    entity: ada.entity_id,
    observation: ada.observation_ids[1]!,
    note: note.id,
    list: attached.body.list_id,
    lead: attached.body.results[0]!.lead_id,
    key: key.body.id,
    view: saved.body.id,
    erasure: erasure.body.id,
    erased,
  };
}

/** Sets the mark that the DELETE of this path takes back. */
async function markItem(client: Client, path: string): Promise<void> {
  await client.post(path, path.endsWith('/snooze') ? { until: new Date(Date.now() + 86_400_000).toISOString() } : {});
}

function withIds(value: unknown, ground: Ground): unknown {
  if (Array.isArray(value)) return value.map(item => withIds(item, ground));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, standIns[name]?.(ground) ?? withIds(inner, ground)]),
  );
}
