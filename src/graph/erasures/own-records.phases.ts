import { computeDigest, MAX_BATCH_OBSERVATIONS } from '#domain/observation/observation.js';
import type { Tx } from '#kernel/db/transaction.js';
import { replaceStates } from '../claims/claims.queries.js';
import type { ClaimsService } from '../claims/claims.service.js';
import { lockEntities } from '../identity/entity-locks.js';
import { deleteIdentifiers } from './person.queries.js';
import { databaseNow, type ObservationRow, readLog, toObservation } from '../observations/observations.queries.js';
import { groupStatementsByClaim } from '../observations/claim-rebuild.js';
import type { ErasurePhase, PhaseStep } from './erasure-phase.js';
import { deleteNotes } from './note.phases.js';

const OBSERVATIONS_PER_PAGE = 1_000;
const NOTES_PER_PAGE = 20;

/**
 * Deletes the statements about the person. Of events remain property, source and times, so that counts and the activity
 * of the company stay right; their digest follows from what is left. Then folds the claims that these events imply.
 */
export function createOwnLogPhase(claims: ClaimsService): ErasurePhase {
  return {
    name: 'own log',
    run: async (tx, { ids }): Promise<PhaseStep> => {
      await lockEntities(tx, ids);
      const identifiers = await deleteIdentifiers(tx, ids);
      const deleted = await tx.query(
        `DELETE FROM observations WHERE workspace_id = $1 AND id IN (
           SELECT id FROM observations WHERE workspace_id = $1 AND entity_id = ANY ($2) AND kind = 'state'
           LIMIT ${OBSERVATIONS_PER_PAGE}) RETURNING 1`,
        [tx.workspace, ids],
      );
      const events = await tx.query<ObservationRow>(
        `SELECT *, entity_id AS cluster_id FROM observations
         WHERE workspace_id = $1 AND entity_id = ANY ($2) AND kind = 'event'
           AND (value IS NOT NULL OR raw IS NOT NULL OR external_id IS NOT NULL) LIMIT ${OBSERVATIONS_PER_PAGE}`,
        [tx.workspace, ids],
      );
      await anonymizeEvents(tx, events);
      const counts = {
        identifiers: identifiers.length,
        observations_deleted: deleted.length,
        events_anonymized: events.length,
      };
      const isComplete = deleted.length < OBSERVATIONS_PER_PAGE && events.length < OBSERVATIONS_PER_PAGE;
      if (!isComplete) return { cursor: 'more', counts };
      await foldRemaining(tx, claims, ids);
      return { cursor: null, counts };
    },
  };
}

async function anonymizeEvents(tx: Tx, events: readonly ObservationRow[]): Promise<void> {
  if (events.length === 0) return;
  const digests = events.map(row => computeDigest({ ...toObservation(row), value: null, externalId: null }));
  await tx.query(
    `UPDATE observations SET value = NULL, raw = NULL, external_id = NULL, digest = decode(kept.digest, 'hex')
     FROM unnest($2::uuid[], $3::text[]) AS kept (id, digest)
     WHERE workspace_id = $1 AND observations.id = kept.id`,
    [tx.workspace, events.map(({ id }) => id), digests],
  );
}

/** Folds the claims of each id from the events that are left, such as `do_not_contact`. */
async function foldRemaining(tx: Tx, claims: ClaimsService, ids: readonly string[]): Promise<void> {
  const horizon = (await databaseNow(tx)) + MAX_BATCH_OBSERVATIONS;
  for (const id of ids) {
    const log = await readLog(tx, id, {});
    const statements = groupStatementsByClaim(log.map(row => ({ ...row, clusterId: id })));
    const folded = statements.map(each => claims.rebuild(tx.workspace, each, horizon));
    await replaceStates(tx, claims.rulesOf(tx.workspace), [id], folded);
  }
}

/** Deletes the notes that are attached to the person, with their search index. */
export const ownNotesPhase: ErasurePhase = {
  name: 'own notes',
  run: async (tx, { ids }) => {
    const notes = await tx.query<{ id: string; title: string; content: string }>(
      `SELECT id, title, content FROM notes WHERE workspace_id = $1 AND entity_id = ANY ($2) LIMIT ${NOTES_PER_PAGE}`,
      [tx.workspace, ids],
    );
    await deleteNotes(tx, notes);
    const cursor = notes.length < NOTES_PER_PAGE ? null : 'more';
    return { cursor, counts: { notes_deleted: notes.length } };
  },
};

/** Removes imported rows and scores from the person's leads. The leads stay, so that lists keep their counts. */
export const ownLeadsPhase: ErasurePhase = {
  name: 'own leads',
  run: async (tx, { ids }) => {
    const cleared = await tx.query(
      `UPDATE leads SET features = '{}', fields = '{}', original = '{}', layers = NULL, priority = NULL,
         priority_confidence = NULL, play = NULL, icp_score = NULL, intent_score = NULL, scored_at = NULL,
         updated_at = now()
       WHERE workspace_id = $1 AND entity_id = ANY ($2)
         AND (features <> '{}' OR fields <> '{}' OR original <> '{}' OR layers IS NOT NULL OR scored_at IS NOT NULL)
       RETURNING 1`,
      [tx.workspace, ids],
    );
    return { cursor: null, counts: { leads_cleared: cleared.length } };
  },
};
