import canonicalize from 'canonicalize';
import type pg from 'pg';
import { defaultRules } from '#domain/claims/rules.js';
import { foldAll } from '#domain/claims/fold.js';
import { linkAddressStates } from '#domain/claims/address-status.js';
import { deserializeState, findPresentedTrack, type PropertyState } from '#domain/claims/property-state.js';
import { toStatements } from '#domain/claims/implied-statements.js';
import { computeActivity } from '#domain/observation/interaction-events.js';
import { computeDigest, type StoredObservation } from '#domain/observation/observation.js';
import type { Instant } from '#domain/time/instant.js';

type LogRow = Omit<StoredObservation, 'observedAt' | 'recordedAt' | 'externalId' | 'aboutAddress'> & {
  entity_id: string;
  observed_at: Instant;
  recorded_at: Instant;
  external_id: string | null;
  about_address: string | null;
};

async function logOf(pool: pg.Pool, workspace: string): Promise<Map<string, StoredObservation[]>> {
  const { rows } = await pool.query<LogRow>(
    `SELECT coalesce(e.canonical_id, e.id) AS entity_id, o.id, kind, property, value, source, method, observed_at, recorded_at, external_id,
            encode(digest, 'hex') AS digest, about_address
     FROM observations o JOIN entities e ON e.workspace_id = $1 AND e.id = o.entity_id WHERE o.workspace_id = $1`,
    [workspace],
  );
  const asStored = ({ observed_at, recorded_at, external_id, about_address, ...row }: LogRow) => ({
    ...row,
    observedAt: observed_at,
    recordedAt: recorded_at,
    externalId: external_id,
    aboutAddress: about_address,
  });
  return new Map([...Map.groupBy(rows, row => row.entity_id)].map(([id, own]) => [id, own.map(asStored)]));
}

/** Every claim state that the log gives, as `entity property` and canonical JSON. */
function foldedFrom(log: ReadonlyMap<string, StoredObservation[]>, now: Instant): Map<string, string> {
  const folded = new Map<string, string>();
  for (const [entity, rows] of log) {
    const states = new Map<string, PropertyState>();
    for (const [property, own] of Map.groupBy(rows.flatMap(toStatements), statement => statement.property))
      states.set(property, foldAll(defaultRules, property, own, now));
    const linked = linkAddressStates(defaultRules, { email: states.get('email'), status: states.get('email_status') });
    if (linked.email) states.set('email', linked.email);
    if (linked.status) states.set('email_status', linked.status);
    for (const [property, state] of states) folded.set(`${entity} ${property}`, canonicalize(state)!);
  }
  return folded;
}

async function keptIn(pool: pg.Pool, workspace: string): Promise<Map<string, string>> {
  const sql = 'SELECT entity_id, property, state FROM claims WHERE workspace_id = $1';
  const { rows } = await pool.query<{ entity_id: string; property: string; state: string }>(sql, [workspace]);
  return new Map(rows.map(row => [`${row.entity_id} ${row.property}`, canonicalize(deserializeState(row.state))!]));
}

const sorted = (map: ReadonlyMap<string, string>) => [...map].toSorted(([a], [b]) => (a < b ? -1 : 1));

async function expectToldBeside(pool: pg.Pool, workspace: string): Promise<void> {
  const sql = `SELECT state, top_observation_id AS ref, (extract(epoch FROM next_change_at) * 1000000)::bigint AS due FROM claims WHERE workspace_id = $1`;
  const { rows } = await pool.query<{ state: string; ref: string | null; due: number | null }>(sql, [workspace]);
  for (const { state, ref, due } of rows) {
    const stored = deserializeState(state);
    expect({ ref, due }).toEqual({ ref: findPresentedTrack(stored)?.newest.id ?? null, due: stored.nextChangeAt });
  }
}

/**
 * Reads the tables of a workspace as their owner and expects that everything derived (claims, digests, activity) is
 * what the log gives when it is folded from the start, claims byte for byte as canonical JSON.
 */
export async function expectClaimsConsistent(pool: pg.Pool, workspace: string): Promise<void> {
  const log = await logOf(pool, workspace);
  const now = Date.now() * 1000;
  expect(sorted(await keptIn(pool, workspace))).toEqual(sorted(foldedFrom(log, now)));
  await expectToldBeside(pool, workspace);
  for (const row of [...log.values()].flat()) expect(row.digest).toBe(computeDigest(row));
  const sql = `SELECT id, first_activity_at AS first, last_activity_at AS last, last_inbound_activity_at AS "lastInbound"
    FROM entities WHERE workspace_id = $1 AND canonical_id IS NULL`;
  const { rows } = await pool.query<{ id: string }>(sql, [workspace]);
  for (const { id, ...activity } of rows) expect(activity).toEqual(computeActivity(log.get(id) ?? [], now));
}
