import { Injectable } from '@nestjs/common';
import { type Identifier, type IdentifierFocus, toIdentifier, type PreciseFocus } from '#domain/identity/focus.js';
import type { ParsedPerson } from '#domain/people/parse-person.js';
import type { Instant } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { findOwners, identifierKey, entityIdKey } from '../identity/identifiers.queries.js';
import { IdentityService, type OwnerMap, type ResolvedEntity } from '../identity/identity.service.js';
import { SuppressionService } from '../identity/suppression.service.js';
import { RecordBatchWriter } from '../observations/record-batch.writer.js';
import { type RecordCall, toEntityReference } from '../observations/record-call.js';
import type { RecordResponse } from '../observations/observations.presenter.js';
import type { DerivedWrites } from '../observations/derived-writes.js';

/** A person to find or create, and the facts to assert. */
export interface PersonWriteInput extends ParsedPerson {
  /** Id of the entity, if the caller knows it. */
  readonly entityId?: string;
}

/** The person that an input matches. */
export interface PersonMatch {
  /** Focus that the facts are written to. */
  readonly focus: PreciseFocus;
  /** Canonical id; undefined for a new person. */
  readonly entityId: string | undefined;
  /** Form of the identifier that matched, or `entity_id`; null for a new person. */
  readonly matchedOn: string | null;
  /** Canonical ids of other entities that the identifiers match. */
  readonly conflictingIds: ReadonlySet<string>;
  /** Owners that the look-up of all inputs found. */
  readonly owners: OwnerMap;
  /** The new entity, after it was created. */
  readonly entity?: ResolvedEntity | undefined;
}

/** Result of writing one input. */
export type PersonOutcome =
  | { readonly recorded: RecordResponse; readonly match: PersonMatch }
  | { readonly error: HubError };

/** Finds people by their identifiers and writes facts about them, with a fixed number of statements. */
@Injectable()
export class PersonWriter {
  constructor(
    private readonly writer: RecordBatchWriter,
    private readonly identity: IdentityService,
    private readonly suppression: SuppressionService,
  ) {}

  /**
   * Matches inputs to people, in order. An input without a match has an error: `identifier_conflict` if its identifiers
   * belong to different entities, `entity_not_found` for an unknown id, `identifier_required`, `identifier_erased` if one
   * belonged to an erased person. One statement, and one more if people of the workspace were erased.
   * @param allowConflicts whether identifiers of different entities count as a match; writing then merges these unless
   *   a merge guard applies.
   */
  async match(
    tx: Tx,
    inputs: readonly PersonWriteInput[],
    allowConflicts = false,
  ): Promise<(PersonMatch | HubError)[]> {
    const owners = await lookUpOwners(tx, inputs);
    const unowned = inputs.flatMap(({ identifiers }) => identifiers.map(toIdentifier)).filter(isUnownedIn(owners));
    const erased = await this.suppression.findErased(tx, unowned);
    return inputs.map(input => {
      if (input.identifiers.some(focus => erased.has(identifierKey(toIdentifier(focus)))))
        return new HubError('identifier_erased');
      const match = findMatch(input, owners);
      const refused = !allowConflicts && !(match instanceof HubError) && match.conflictingIds.size > 0;
      return refused ? identifierConflictError([match.entityId!, ...match.conflictingIds]) : match;
    });
  }

  /** Returns the canonical ids that the identifiers of an input now resolve to. One statement. */
  async resolveIds(tx: Tx, input: PersonWriteInput): Promise<ReadonlySet<string>> {
    const owners = await lookUpOwners(tx, [input]);
    return new Set([...owners.values()].flatMap(owner => owner?.canonicalId ?? []));
  }

  /**
   * Creates the entities of new people before facts are asserted. Pass the returned matches, which are in the order of
   * the inputs, to `write`. One statement.
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
    const created = new Map(
      missing.map((i, n) => {
        const entity = entities[n];
        if (entity instanceof HubError) throw entity;
        return [i, entity] as const;
      }),
    );
    return matches.map((match, i) => ({ ...match, entity: created.get(i) }));
  }

  /**
   * Writes inputs to their matches, in order. Call it once per transaction.
   * @param derivedWrites derives further observations from the batch, which are written with it.
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
  return identifiers.map(toIdentifier).some(isUnownedIn(owners));
}

function isUnownedIn(owners: OwnerMap): (identifier: Identifier) => boolean {
  return identifier => !owners.get(identifierKey(identifier));
}

async function lookUpOwners(tx: Tx, inputs: readonly PersonWriteInput[]): Promise<OwnerMap> {
  const identifiers = inputs.flatMap(input => input.identifiers.map(toIdentifier));
  const ids = inputs.flatMap(({ entityId }) => entityId ?? []);
  if (identifiers.length + ids.length === 0) return new Map();
  const keys = [...identifiers.map(identifierKey), ...ids.map(entityIdKey)];
  const found = await findOwners(tx, identifiers, ids);
  return new Map(keys.map(key => [key, found.get(key) ?? null]));
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

/**
 * Returns the error for identifiers that belong to different entities.
 * @param more further fields, such as why the entities were not merged.
 */
export function identifierConflictError(ids: Iterable<string>, more: object = {}): HubError {
  return new HubError('identifier_conflict', { extra: { entity_ids: [...new Set(ids)].toSorted(), ...more } });
}

/** Builds a record call. All facts of a row get the same time; of two rows about one person the later one wins. */
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
