import { isDeepStrictEqual } from 'node:util';
import { defaultRules } from '#domain/claims/rules.js';
import { foldAll } from '#domain/claims/fold.js';
import { toStatements } from '#domain/claims/implied-statements.js';
import { deserializeState, type PropertyState } from '#domain/claims/property-state.js';
import type { StoredObservation } from '#domain/observation/observation.js';
import { inWorkspace } from '../env/inside.ts';
import type { BenchEnvironment } from '../env/bench-environment.ts';

/** All that the database holds of one entity. */
export interface Stored {
  readonly observations: readonly StoredObservation[];
  readonly states: ReadonlyMap<string, PropertyState>;
}

type Row = Omit<StoredObservation, 'observedAt' | 'recordedAt'> & { observedAt: string; recordedAt: string };

const OF_ENTITY = "entity_id = (SELECT entity_id FROM identifiers WHERE kind = 'email' AND key = $1)";

/** Reads the log and the kept claims of the person with this address. */
export async function storedOf({ databaseUrl, workspace }: BenchEnvironment, email: string): Promise<Stored> {
  const rows = await inWorkspace<Row>(
    databaseUrl,
    workspace.id,
    `SELECT id, kind, property, value, source, method, external_id AS "externalId", encode(digest, 'hex') AS digest,
            (extract(epoch FROM observed_at) * 1000000)::bigint AS "observedAt",
            (extract(epoch FROM recorded_at) * 1000000)::bigint AS "recordedAt"
     FROM observations WHERE ${OF_ENTITY}`,
    [email],
  );
  const claims = await inWorkspace<{ property: string; state: string }>(
    databaseUrl,
    workspace.id,
    `SELECT property, state FROM claims WHERE ${OF_ENTITY}`,
    [email],
  );
  return {
    observations: rows.map(row => ({ ...row, observedAt: Number(row.observedAt), recordedAt: Number(row.recordedAt) })),
    states: new Map(claims.map(({ property, state }) => [property, deserializeState(state)])),
  };
}

/** The properties whose kept claim is not what a fold of the whole log gives. */
export function differencesOf({ observations, states }: Stored): string[] {
  const byProperty = Map.groupBy(observations.flatMap(toStatements), ({ property }) => property);
  const properties = new Set([...byProperty.keys(), ...states.keys()]);
  const inAnHour = (Date.now() + 3_600_000) * 1000;
  return [...properties].filter(property => {
    const folded = foldAll(defaultRules, property, byProperty.get(property) ?? [], inAnHour);
    return !isDeepStrictEqual(JSON.parse(JSON.stringify(folded)), states.get(property));
  });
}
