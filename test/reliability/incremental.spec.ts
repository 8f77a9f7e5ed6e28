import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { defaultRules } from '#domain/claims/default-rules.js';
import { foldAll } from '#domain/claims/fold.js';
import { statementsOf } from '#domain/claims/from-events.js';
import { activityOf } from '#domain/observation/activity.js';
import { digestOf } from '#domain/observation/digest.js';
import type { Json, StoredObservation } from '#domain/observation/observation.js';
import { DAY, type Instant, toIso } from '#domain/time/instant.js';
import { logs, ORIGINS, shuffled } from '../property/claims-logs.js';
import { event, record, state } from '../support/graph-calls.js';
import { type Client, startTestHub, type TestHub } from '../support/hub.js';

const PEOPLE = ['ada@acme.com', 'bo@gmail.com', 'linkedin.com/in/cy', 'dee.org'];

let hub: TestHub;

beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.end());

/** What is said of one property over time: sometimes without a time of its own, sometimes under a repeated external id. */
function facts(property: string): fc.Arbitrary<object[]> {
  const extras = fc.record({ untimed: fc.constantFrom(true, ...Array(7).fill(false)), id: fc.constantFrom('a', 'b', ...Array(8).fill('')) });
  return fc.tuple(logs(property, ORIGINS), fc.array(extras, { minLength: 24, maxLength: 24 })).map(([log, more]) =>
    log.filter(({ observedAt }) => observedAt < Date.now() * 1000 + 300 * DAY).map(({ value, source, method, observedAt }, i) => {
      const { untimed, id } = more[i]!;
      return state(property, value, { source, method, ...(!untimed && { observed_at: toIso(observedAt) }), ...(id && { external_id: id }) });
    }),
  );
}

const happenings = fc.array(
  fc
    .tuple(
      fc.constantFrom('email_sent', 'email_replied', 'email_bounced', 'unsubscribed', 'email_clicked', 'call_held'),
      fc.integer({ min: 0, max: 400 }),
      fc.constantFrom<Json>(null, { type: 'soft' }, { direction: 'inbound' }),
    )
    .map(([type, day, value]) => event(type, { value, observed_at: toIso(Date.UTC(2026, 0, 1) * 1000 + day * DAY) })),
  { maxLength: 8 },
);

/** One entity's log, shuffled and cut into batches. */
const batches = fc
  .tuple(facts('title'), facts('technologies'), facts('stage'), facts('name'), happenings)
  .chain(parts => fc.tuple(shuffled(parts.flat()), fc.infiniteStream(fc.integer({ min: 1, max: 9 }))))
  .map(([log, sizes]) => {
    const cut: object[][] = [];
    for (let left = log; left.length > 0; left = left.slice(cut.at(-1)!.length)) cut.push(left.slice(0, sizes.next().value));
    return cut;
  });

const calls = fc
  .tuple(...PEOPLE.map(focus => batches.map(own => own.map(observations => ({ focus, observations })))))
  .chain(own => shuffled(own.flat()));

type LogRow = Omit<StoredObservation, 'observedAt' | 'recordedAt' | 'externalId'> & {
  entity_id: string;
  observed_at: Instant;
  recorded_at: Instant;
  external_id: string | null;
};

async function logOf(workspace: string): Promise<Map<string, StoredObservation[]>> {
  const { rows } = await hub.database.pool.query<LogRow>(
    `SELECT entity_id, id, kind, property, value, source, method, observed_at, recorded_at, external_id,
            encode(digest, 'hex') AS digest
     FROM observations WHERE workspace_id = $1`,
    [workspace],
  );
  const asStored = ({ observed_at: observedAt, recorded_at: recordedAt, external_id: externalId, ...row }: LogRow) =>
    ({ ...row, observedAt, recordedAt, externalId });
  return new Map([...Map.groupBy(rows, row => row.entity_id)].map(([id, own]) => [id, own.map(asStored)]));
}

/** Every claim state that the log gives, as `entity property` and canonical JSON. */
function foldedFrom(log: ReadonlyMap<string, StoredObservation[]>, now: Instant): Map<string, string> {
  const folded = new Map<string, string>();
  for (const [entity, rows] of log) {
    for (const [property, own] of Map.groupBy(rows.flatMap(statementsOf), statement => statement.property)) {
      folded.set(`${entity} ${property}`, canonicalize(foldAll(defaultRules, property, own, now))!);
    }
  }
  return folded;
}

async function keptIn(workspace: string): Promise<Map<string, string>> {
  const sql = 'SELECT entity_id, property, state FROM claims WHERE workspace_id = $1';
  const { rows } = await hub.database.pool.query<{ entity_id: string; property: string; state: object }>(sql, [workspace]);
  return new Map(rows.map(row => [`${row.entity_id} ${row.property}`, canonicalize(row.state)!]));
}

const sorted = (map: ReadonlyMap<string, string>) => [...map].toSorted(([a], [b]) => (a < b ? -1 : 1));

async function expectKeptIsFolded({ workspaceId }: Client): Promise<void> {
  const log = await logOf(workspaceId);
  const now = Date.now() * 1000;
  expect(sorted(await keptIn(workspaceId))).toEqual(sorted(foldedFrom(log, now)));
  for (const row of [...log.values()].flat()) expect(row.digest).toBe(digestOf(row));
  const sql = `SELECT id, first_activity_at AS first, last_activity_at AS last, last_inbound_activity_at AS "lastInbound"
    FROM entities WHERE workspace_id = $1`;
  const { rows } = await hub.database.pool.query<{ id: string }>(sql, [workspaceId]);
  for (const { id, ...activity } of rows) expect(activity).toEqual(activityOf(log.get(id) ?? [], now));
}

it('what is kept equals a fold of the whole log, byte for byte, in whatever order and batches it arrived', async () => {
  await fc.assert(
    fc.asyncProperty(calls, fc.boolean(), async (all, atOnce) => {
      const workspace = await hub.workspace();
      if (atOnce) await Promise.all(all.map(({ focus, observations }) => record(workspace, focus, observations)));
      else for (const { focus, observations } of all) await record(workspace, focus, observations);
      await expectKeptIsFolded(workspace);
    }),
    { numRuns: 12, endOnFailure: true },
  );
});
