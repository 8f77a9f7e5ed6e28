import { Injectable } from '@nestjs/common';
import { type IdentifierFocus, toIdentifier, type PreciseFocus } from '#domain/identity/focus.js';
import type { ParsedPerson } from '#domain/people/parse-person.js';
import type { Instant } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { findOwners, identifierKey, entityIdKey } from '../identity/identifiers.queries.js';
import { IdentityService, type OwnerMap, type ResolvedEntity } from '../identity/identity.service.js';
import { RecordBatchWriter } from '../observations/record-batch.writer.js';
import { type RecordCall, toEntityReference } from '../observations/record-call.js';
import type { RecordResponse } from '../observations/observations.presenter.js';
import type { DerivedWrites } from '../observations/derived-writes.js';

/** A person to be found or made, and what is asserted of them. */
export interface PersonWriteInput extends ParsedPerson {
  /** The entity, where the caller knows it. */
  readonly entityId?: string;
}

/** Who a wish is about. */
export interface PersonMatch {
  /** By what they will be written to. */
  readonly focus: PreciseFocus;
  /** The id that they are read by; undefined for somebody new. */
  readonly entityId: string | undefined;
  /** Kind of the identifier that was known, or `entity_id`; null for somebody new. */
  readonly matchedOn: string | null;
  /** Others whom its identifiers name as well. */
  readonly conflictingIds: ReadonlySet<string>;
  /** Whom the look-up of all wishes has found. */
  readonly owners: OwnerMap;
  /** Somebody new, once they have been made. */
  readonly entity?: ResolvedEntity | undefined;
}

/** What became of a wish. */
export type PersonOutcome =
  | { readonly recorded: RecordResponse; readonly match: PersonMatch }
  | { readonly error: HubError };

/** Finds people by their identifiers and writes what is asserted of them, with a handful of statements for all. */
@Injectable()
export class PersonWriter {
  constructor(
    private readonly writer: RecordBatchWriter,
    private readonly identity: IdentityService,
  ) {}

  /**
   * Who these wishes are about, in their order; or why one of them is about nobody: `identifier_conflict` when its
   * identifiers belong to different entities, `entity_not_found` for an id that nobody has, `identifier_required`.
   * One statement.
   * @param allowConflicts take different entities for a match: writing it joins them, unless something speaks against it.
   */
  async match(
    tx: Tx,
    inputs: readonly PersonWriteInput[],
    allowConflicts = false,
  ): Promise<(PersonMatch | HubError)[]> {
    const owners = await lookUpOwners(tx, inputs);
    return inputs.map(wish => {
      const match = findMatch(wish, owners);
      const refused = !allowConflicts && !(match instanceof HubError) && match.conflictingIds.size > 0;
      return refused ? identifierConflictError([match.entityId!, ...match.conflictingIds]) : match;
    });
  }

  /** Whom the identifiers of a wish name by now, by canonical id. One statement. */
  async resolveIds(tx: Tx, input: PersonWriteInput): Promise<ReadonlySet<string>> {
    const owners = await lookUpOwners(tx, [input]);
    return new Set([...owners.values()].flatMap(owner => owner?.canonicalId ?? []));
  }

  /**
   * Makes those whom nobody knows, before anything is asserted of them: `write` takes the matches that it gives, in
   * the order of the wishes. One statement.
   */
  async createMissing(
    tx: Tx,
    inputs: readonly PersonWriteInput[],
    matches: readonly PersonMatch[],
  ): Promise<PersonMatch[]> {
    const missing = matches.flatMap((match, i) => (match.entityId === undefined ? [i] : []));
    const subjects = missing.map(i => toEntityReference(toRecordCall(inputs[i]!, matches[i]!, 0)));
    const willWriteMore = matches.some(
      (match, i) => match.entityId !== undefined && hasNewIdentifiers(inputs[i]!, match),
    );
    const entities = await this.identity.resolveOrCreate(tx, subjects, willWriteMore);
    const created = new Map(missing.map((i, n) => [i, entities[n]]));
    return matches.map((match, i) => ({ ...match, entity: created.get(i) }));
  }

  /**
   * Writes wishes to whom they were matched with; in their order. Call it once per transaction.
   * @param derivedWrites what follows from them, and is recorded with them.
   */
  async write(
    tx: Tx,
    inputs: readonly PersonWriteInput[],
    matches: readonly (PersonMatch | HubError)[],
    derivedWrites?: DerivedWrites,
  ): Promise<PersonOutcome[]> {
    const now = await tx.now();
    const calls = new Map<number, RecordCall>();
    matches.forEach((match, i) => {
      if (!(match instanceof HubError)) calls.set(i, toRecordCall(inputs[i]!, match, now + i));
    });
    const outcomes = await this.writer.write(tx, [...calls.values()], derivedWrites);
    const byIndex = new Map([...calls.keys()].map((index, i) => [index, outcomes[i]!]));
    return matches.map((match, i): PersonOutcome => {
      if (match instanceof HubError) return { error: match };
      const outcome = byIndex.get(i)!;
      if ('result' in outcome) return { recorded: outcome.result.body, match };
      return { error: outcome.error instanceof HubError ? outcome.error : HubError.entityNotFound() };
    });
  }
}

function hasNewIdentifiers({ identifiers }: PersonWriteInput, { owners }: PersonMatch): boolean {
  return identifiers.some(focus => !owners.get(identifierKey(toIdentifier(focus))));
}

async function lookUpOwners(tx: Tx, inputs: readonly PersonWriteInput[]): Promise<OwnerMap> {
  const identifiers = inputs.flatMap(wish => wish.identifiers.map(toIdentifier));
  const ids = inputs.flatMap(({ entityId }) => entityId ?? []);
  if (identifiers.length + ids.length === 0) return new Map();
  const keys = [...identifiers.map(identifierKey), ...ids.map(entityIdKey)];
  const found = await findOwners(tx, identifiers, ids);
  return new Map(keys.map(handle => [handle, found.get(handle) ?? null]));
}

function findMatch({ identifiers, entityId }: PersonWriteInput, owners: OwnerMap): PersonMatch | HubError {
  const known = identifiers.flatMap(focus => {
    const owner = owners.get(identifierKey(toIdentifier(focus)));
    return owner ? [{ focus, id: owner.canonicalId }] : [];
  });
  const matched = (focus: PreciseFocus, id: string | undefined, matchedOn: string | null): PersonMatch => {
    const conflictingIds = new Set(known.flatMap(other => (other.id === id ? [] : [other.id])));
    return { focus, entityId: id, matchedOn, conflictingIds, owners };
  };
  if (entityId !== undefined) {
    const owner = owners.get(entityIdKey(entityId));
    return owner ? matched({ form: 'uuid', id: entityId }, owner.canonicalId, 'entity_id') : HubError.entityNotFound();
  }
  const [first] = known;
  if (first) return matched(first.focus, first.id, first.focus.form);
  const [focus] = identifiers;
  return focus ? matched(focus, undefined, null) : new HubError('identifier_required');
}

/** Identifiers of one wish belong to different entities. @param more why they were not joined. */
export function identifierConflictError(ids: Iterable<string>, more: object = {}): HubError {
  return new HubError('identifier_conflict', { extra: { entity_ids: [...new Set(ids)].toSorted(), ...more } });
}

/** Facts of one row hold at one moment; of two rows about one person the later one wins. */
function toRecordCall(
  { identifiers, observations, origin }: PersonWriteInput,
  { focus, owners, entity }: PersonMatch,
  at: Instant,
): RecordCall {
  const alsoKnownAs: readonly IdentifierFocus[] = identifiers.filter(identifier => identifier !== focus);
  return {
    request: { focus, observations: observations.map(o => ({ observedAt: at, ...o })), alsoKnownAs, origin },
    idempotencyKey: undefined,
    owners,
    ...(entity && { entity }),
  };
}
