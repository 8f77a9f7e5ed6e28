import { Injectable } from '@nestjs/common';
import { toExternalFocus, isPrecise, parseFocus, type PreciseFocus, toIdentifier } from '#domain/identity/focus.js';
import { deriveRecordKey } from '#domain/observation/observation.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import type { Tx } from '#kernel/db/transaction.js';
import { HubError } from '#kernel/errors/hub-error.js';
import type { PluginScope } from '#plugin-host/context/plugin-ports.js';
import { PermanentError } from '#sdk/errors.js';
import type { FoundEntity } from '#sdk/ports/entities.js';
import type {
  ExternalFocus,
  Focus,
  LinkResult,
  RecordManyResult,
  RecordResult,
  RecordRow,
} from '#sdk/ports/graph-port.js';
import { EntityResolverService } from '../identity/entity-resolver.service.js';
import { findOwners, focusKey } from '../identity/identifiers.queries.js';
import { toRowError } from './upsert-rows.js';
import { FocusInputService } from '../identity/focus-input.service.js';
import { findPhoneOwners } from '../identity/phones.queries.js';
import type { RecordResponse } from '../observations/observations.presenter.js';
import { RecordBatchWriter } from '../observations/record-batch.writer.js';
import { readRecordRequest, type RecordRequest } from '../observations/record-call.js';

const METHOD = 'plugin';
/** Maximum number of rows of a call. */
const MAX_ROWS = 1_000;
/** Rows and observations per transaction: few enough not to block others for long. */
const MAX_ROWS_PER_TRANSACTION = 100;
const MAX_OBSERVATIONS_PER_TRANSACTION = 1_000;

/** A row that can be recorded, and its position. */
interface ReadRow {
  readonly index: number;
  readonly request: RecordRequest;
}

/** Records, finds and links many entities for plugins, with few statements. */
@Injectable()
export class BulkService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly writer: RecordBatchWriter,
    private readonly entities: EntityResolverService,
    private readonly focuses: FocusInputService,
  ) {}

  /**
   * Records observations about up to 1000 entities, in order. Every row has a result of its own; an invalid one does not
   * affect the others.
   * @throws PermanentError for more rows.
   */
  async recordMany(scope: PluginScope, rows: readonly RecordRow[]): Promise<RecordManyResult[]> {
    requireAtMost(rows, 'rows');
    const results: RecordManyResult[] = [];
    const readable: ReadRow[] = [];
    for (const [index, row] of rows.entries()) {
      try {
        readable.push({ index, request: await this.readRow(scope, row) });
      } catch (error) {
        results[index] = toRowError(error);
      }
    }
    for (const batch of splitBatches(readable)) {
      const calls = batch.map(({ request }) => ({ request, idempotencyKey: undefined }));
      const outcomes = await this.work
        .run(scope.workspaceId, tx => this.writer.write(tx, calls), { useGenericPlans: true })
        .catch((error: unknown) => calls.map(() => ({ error })));
      batch.forEach(({ index, request }, i) => {
        const outcome = outcomes[i]!;
        results[index] = 'result' in outcome ? toRecordResult(outcome.result.body, request) : toRowError(outcome.error);
      });
    }
    return results;
  }

  /**
   * Finds the entities that up to 1000 focuses identify, in order; null for those that identify none, or are no
   * valid identifier. Two statements.
   * @throws PermanentError for more focuses, or for a bare name.
   */
  async findMany({ workspaceId }: PluginScope, given: readonly Focus[]): Promise<(FoundEntity | null)[]> {
    requireAtMost(given, 'focuses');
    const focuses = await Promise.all(given.map((focus, index) => this.readFocus(workspaceId, focus, index)));
    const precise = focuses.filter(focus => focus !== undefined);
    const found = (await this.work.run(workspaceId, tx => findAll(tx, precise))).values();
    return focuses.map(focus => (focus ? (found.next().value ?? null) : null));
  }

  /** Returns a focus; undefined for one that is no valid identifier, as in a table that people filled in. */
  private async readFocus(workspaceId: string, given: Focus, index: number): Promise<PreciseFocus | undefined> {
    const text = await this.focuses.toText(workspaceId, given).catch((error: unknown) => {
      if (error instanceof HubError && error.code === 'invalid_focus') return undefined;
      throw error;
    });
    const focus = text === undefined ? undefined : parseFocus(text);
    if (focus?.form === 'name')
      throw new PermanentError(`Focus ${index} is no precise identifier; use find for a name.`);
    return focus && isPrecise(focus) ? focus : undefined;
  }

  /**
   * Links an entity to its ID in another system. If another entity has the ID, both are merged, or a merge is proposed.
   * @throws PermanentError if the entity does not exist, has another type, or if the ID is invalid.
   */
  async link({ workspaceId, plugin }: PluginScope, given: Focus, link: ExternalFocus['external']): Promise<LinkResult> {
    const text = await this.focuses.toText(workspaceId, given);
    return this.work.run(workspaceId, async tx => {
      const owner = await this.entities.resolveOwner(tx, text);
      const [found] = await findAll(tx, [{ form: 'uuid', id: owner.canonicalId }]);
      const type = found?.status === 'one' ? found.type : 'person';
      const external = toExternalFocus(link.system, String(link.id), type);
      if (!external)
        throw new PermanentError('A link needs `system`, such as "hubspot", and `id`, up to 320 characters.');
      if (link.type !== undefined && link.type !== type)
        throw new PermanentError(`The entity is a ${type}; an ID of a ${link.type} cannot be linked to it.`);
      const origin = { source: plugin, method: METHOD };
      const focus = { form: 'uuid', id: owner.id } as const;
      const request = { focus, observations: [], alsoKnownAs: [external], origin };
      const [outcome] = await this.writer.write(tx, [{ request, idempotencyKey: undefined }]);
      if (!outcome || 'error' in outcome) throw outcome?.error ?? HubError.entityNotFound();
      const { entity_id, merge } = outcome.result.body;
      return { entity_id, merge: merge ? { status: merge.status, other_entity_id: merge.other_entity_id } : null };
    });
  }

  private async readRow({ workspaceId, plugin }: PluginScope, row: RecordRow): Promise<RecordRequest> {
    const { focus, external_id, observations } = row;
    if (focus === undefined && external_id === undefined)
      throw new PermanentError('A row needs `focus`, or `external_id` as the ID of the record.');
    const named = external_id === undefined ? undefined : { external: { system: plugin, id: external_id } };
    const text = await this.focuses.toText(workspaceId, focus ?? named!);
    const request = readRecordRequest({
      focus: text,
      observations: observations.map(each => ({ source: plugin, method: METHOD, ...each })),
    });
    if (external_id === undefined) return request;
    return {
      ...request,
      observations: request.observations.map(each => ({
        ...each,
        externalId: each.externalId ?? deriveRecordKey(plugin, external_id, each),
      })),
    };
  }
}

async function findAll(tx: Tx, focuses: readonly PreciseFocus[]): Promise<(FoundEntity | null)[]> {
  const numbers = focuses.flatMap(focus => (focus.form === 'phone' ? [focus.value] : []));
  const [owners, phones] = await Promise.all([
    findOwners(
      tx,
      focuses.flatMap(focus => (focus.form === 'uuid' || focus.form === 'phone' ? [] : [toIdentifier(focus)])),
      focuses.flatMap(focus => (focus.form === 'uuid' ? [focus.id] : [])),
    ),
    numbers.length > 0 ? findPhoneOwners(tx, numbers) : undefined,
  ]);
  return focuses.map(focus => {
    const owner = owners.get(focusKey(focus));
    const found = focus.form === 'phone' ? (phones?.get(focus.value) ?? []) : owner ? [owner] : [];
    if (found.length > 1) return { status: 'ambiguous', entity_ids: found.map(({ canonicalId }) => canonicalId) };
    return found[0] ? { status: 'one', entity_id: found[0].canonicalId, type: found[0].type ?? 'person' } : null;
  });
}

function* splitBatches(rows: readonly ReadRow[]): Generator<readonly ReadRow[]> {
  let batch: ReadRow[] = [];
  let count = 0;
  for (const row of rows) {
    const isFull = count + row.request.observations.length > MAX_OBSERVATIONS_PER_TRANSACTION;
    if (batch.length > 0 && (isFull || batch.length === MAX_ROWS_PER_TRANSACTION)) {
      yield batch;
      [batch, count] = [[], 0];
    }
    batch.push(row);
    count += row.request.observations.length;
  }
  if (batch.length > 0) yield batch;
}

function requireAtMost(list: readonly unknown[], what: string): void {
  if (list.length > MAX_ROWS) throw new PermanentError(`One call takes at most ${MAX_ROWS} ${what}; split the list.`);
}

/** Converts the response of a record call to the shape of the plugin SDK. */
export function toRecordResult(body: RecordResponse, { observations }: RecordRequest): RecordResult {
  const { entity_id, entity_created, recorded, duplicates, claims_recomputed } = body;
  const conflicts = body.conflicts.map(each => ({ ...each, property: observations[each.index]!.property }));
  return { entity_id, entity_created, recorded, duplicates, conflicts, claims_recomputed };
}
