import { account, event, record, state, tryRecord } from './graph-calls.js';
import type { Client, TestHub } from '../hub.js';
import { saveNote } from './notes.js';

/** Stands in everything that belongs to the other workspace, and nowhere else: too long to be met in a cursor by chance. */
export const MARK = 'zqxother';

/** What another tenant may have got hold of: every id and name that a workspace gave to something of its own. */
export type Leaks = Readonly<Record<string, string>>;

/** Fills a workspace with marked data in every table, and gives what could be stolen from it. */
export async function markedTenant(hub: TestHub): Promise<{ victim: Client; loot: Leaks }> {
  const victim = await hub.workspace();
  const email = `${MARK}mail@${MARK}corp.com`;
  const profile = `https://linkedin.com/in/${MARK}slug`;
  const person = await record(victim, email, [
    state('name', `Zebra ${MARK}name`),
    state('linkedin_url', profile),
    state('title', `${MARK}title`, { source: `crm:${MARK}`, method: `${MARK}sync`, raw: { secret: `${MARK}raw` } }),
    state('technologies', [`${MARK}tech`]),
    event('email_replied', { external_id: `${MARK}external`, value: { description: `${MARK}said` } }),
  ]);
  await tryRecord(victim, email, [event('call_held')], { 'idempotency-key': `${MARK}idem` });
  await record(victim, `${MARK}corp.com`, [state('name', `${MARK} Corporation`)]);
  const key = await victim.post<{ id: string }>('/v2/api-keys', { name: `${MARK}key` });
  const fact = await victim.post<{ fact: { id: string } }>('/v2/workspace/facts', {
    section: `${MARK}_section`,
    content: `${MARK}content`,
    source: MARK,
  });
  const note = await saveNote(victim, email, `${MARK}note about ${MARK}secret`, {
    title: `${MARK}heading`,
    source: `${MARK}notes`,
    external_id: `${MARK}call`,
    participants: [`${MARK}guest`],
  });
  await saveNote(victim, email, `second ${MARK}note`);
  const notes = await victim.get<{ next_cursor: string }>('/v2/notes?limit=1');
  const attached = await victim.post<{ list_id: string; results: { lead_id: string }[] }>('/v2/lead-lists/attach', {
    name: `${MARK}list`,
    external_id: `${MARK}build`,
    source: `${MARK}source`,
    rows: [{ email, fields: { opener: `${MARK}opener` } }, { email: `second@${MARK}corp.com` }],
  });
  const leads = await victim.get<{ next_cursor: string }>('/v2/leads?limit=1');
  const page = await account(victim, email, { limit: '1' });
  const loot = {
    'entity id': person.entity_id,
    'company id': page.entity.company!.id,
    'observation id': person.observation_ids[0]!,
    'api key id': key.body.id,
    'fact id': fact.body.fact.id,
    section: `${MARK}_section`,
    'note id': note.id,
    'note key': `${MARK}call`,
    'note cursor': notes.body.next_cursor,
    'note word': `${MARK}secret`,
    'list id': attached.body.list_id,
    'list name': `${MARK}list`,
    'lead id': attached.body.results[0]!.lead_id,
    'lead cursor': leads.body.next_cursor,
    'workspace id': victim.workspaceId,
    'e-mail address': email,
    profile,
    domain: `${MARK}corp.com`,
    name: `Zebra ${MARK}name`,
    'external id': `${MARK}external`,
    cursor: page.next_cursor!,
    'idempotency key': `${MARK}idem`,
  };
  return { victim, loot };
}

const tables = [
  'entities',
  'identifiers',
  'name_words',
  'observations',
  'claims',
  'idempotency_keys',
  'workspace_facts',
  'notes',
  'note_chunks',
  'note_terms',
  'note_numbers',
  'note_words',
  'note_trigrams',
  'note_statistics',
  'lead_lists',
  'leads',
];

/** All rows of a workspace as one text, to see whether anything was changed. Keys and events change by themselves. */
export async function everythingOf(hub: TestHub, workspaceId: string): Promise<string> {
  const all = tables.map(table => `SELECT '${table} ' || t::text AS row FROM ${table} t WHERE workspace_id = $1`);
  const { rows } = await hub.database.pool.query<{ row: string }>(all.join(' UNION ALL '), [workspaceId]);
  return rows
    .map(({ row }) => row)
    .toSorted()
    .join('\n');
}
