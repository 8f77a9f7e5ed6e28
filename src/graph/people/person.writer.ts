import { Injectable } from '@nestjs/common';
import { resolveReliability } from '#domain/claims/trust.js';
import { type Identifier, type IdentifierFocus, toIdentifier, type PreciseFocus } from '#domain/identity/focus.js';
import { areNamesCompatible, findStatedName } from '#domain/identity/names.js';
import type { Instant } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { newId } from '#kernel/ids.js';
import { ProfileCache } from '../facts/facts.caches.js';
import { entityIdKey, type IdentifierKey, identifierKey, type Owner } from '../identity/identifiers.queries.js';
import { IdentityService, type OwnerMap } from '../identity/identity.service.js';
import { createPersonBeside, findNamedOwners, findSharingPeople, type NamedOwner } from '../identity/names.queries.js';
import {
  findOnlyPhone,
  lookUpPhones,
  matchPhone,
  findMatch,
  guardsName,
  identifierConflictError,
  belongsToOthers,
  type NamedOwners,
  type PersonMatch,
  type PersonWriteInput,
} from './person-match.js';
import { SuppressionService } from '../identity/suppression.service.js';
import type { ClaimRules } from '#domain/claims/rules.js';
import { RecordBatchWriter } from '../observations/record-batch.writer.js';
import { findStatedIdentifiers, type RecordCall, toEntityReference } from '../observations/record-call.js';
import type { RecordResponse } from '../observations/observations.presenter.js';
import type { DerivedWrites } from '../observations/observation-appender.js';

export { identifierConflictError } from './person-match.js';
export type { PersonMatch, PersonWriteInput } from './person-match.js';

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
    private readonly profiles: ProfileCache,
  ) {}

  /**
   * Matches inputs to people, in order. An input without a match has an error: `identifier_conflict` if its identifiers
   * belong to different entities, `entity_not_found` for an unknown id, `identifier_required`, `identifier_erased` if one
   * belonged to an erased person. One statement, and one more if people of the workspace were erased.
   *
   * An address or profile of somebody with another name is not taken for theirs: the input matches by its other
   * identifiers, or else the person of this name who was stated with it before, who is created at the first time. Writing
   * then proposes to merge the two. Changes by a person (sources `user` and `person`) may rename.
   * @param allowConflicts whether identifiers of different entities count as a match; writing then merges these unless
   *   a merge guard applies.
   */
  async match(
    tx: Tx,
    inputs: readonly PersonWriteInput[],
    allowConflicts = false,
  ): Promise<(PersonMatch | HubError)[]> {
    const { phoneCountry } = this.profiles.get(tx.workspace);
    const stated = inputs.flatMap(({ observations }) =>
      observations.flatMap(each => findStatedIdentifiers(each, phoneCountry)),
    );
    const owners = await lookUpOwners(tx, inputs, stated);
    const phones = await lookUpPhones(tx, inputs);
    const unowned = inputs
      .flatMap(({ identifiers }) => identifiers.map(toIdentifier))
      .filter(each => !owners.get(identifierKey(each)) && !phones.get(each.value)?.length);
    const erased = await this.suppression.findErased(tx, unowned);
    const matches: (PersonMatch | HubError)[] = [];
    const shared = await this.findShared(tx, inputs, owners);
    for (const input of inputs) {
      if (input.identifiers.some(focus => erased.has(identifierKey(toIdentifier(focus))))) {
        matches.push(new HubError('identifier_erased'));
        continue;
      }
      const phone = findOnlyPhone(input);
      const match = phone
        ? await matchPhone(tx, input, phone, phones.get(phone.value)!)
        : shared.has(input)
          ? await this.matchBeside(tx, input, owners, shared.get(input)!)
          : findMatch(input, owners);
      const refused = !allowConflicts && !(match instanceof HubError) && match.conflictingIds.size > 0;
      matches.push(refused ? identifierConflictError([match.entityId!, ...match.conflictingIds]) : match);
    }
    return matches;
  }

  /**
   * Returns the inputs whose identifiers all belong to people of another name, each with the people of their own name
   * who were stated with such an identifier before. Of two new inputs with one address and different names, the first
   * one is created here.
   */
  private async findShared(
    tx: Tx,
    inputs: readonly PersonWriteInput[],
    owners: Map<IdentifierKey, NamedOwner | null>,
  ): Promise<ReadonlyMap<PersonWriteInput, Owner[]>> {
    await this.createContested(tx, inputs, owners);
    const shared = inputs.filter(input => !findOnlyPhone(input) && belongsToOthers(input, owners));
    if (shared.length === 0) return new Map();
    const known = await findSharingPeople(
      tx,
      shared.flatMap(({ identifiers }) => identifiers.map(toIdentifier)),
    );
    return new Map(
      shared.map(input => {
        const keys = new Set(input.identifiers.map(focus => identifierKey(toIdentifier(focus))));
        const name = findStatedName(input.observations)!;
        return [input, known.filter(each => keys.has(each.identifier) && areNamesCompatible(each.name, name))];
      }),
    );
  }

  private async createContested(
    tx: Tx,
    inputs: readonly PersonWriteInput[],
    owners: Map<IdentifierKey, NamedOwner | null>,
  ): Promise<void> {
    const first = new Map<IdentifierKey, PersonWriteInput>();
    const contested = new Set<PersonWriteInput>();
    for (const input of inputs) {
      const [focus] = input.identifiers;
      if (!focus || focus.form === 'phone' || input.entityId !== undefined || !guardsName(input)) continue;
      if (input.identifiers.some(each => owners.get(identifierKey(toIdentifier(each))))) continue;
      const key = identifierKey(toIdentifier(focus));
      const before = first.get(key);
      if (!before) first.set(key, input);
      else if (!areNamesCompatible(findStatedName(before.observations)!, findStatedName(input.observations)!))
        contested.add(before);
    }
    for (const input of contested) {
      const [focus] = input.identifiers as [IdentifierFocus];
      const [entity] = await this.identity.resolveOrCreate(tx, [{ focus, alsoKnownAs: [], isPerson: true }], true);
      if (!entity || entity instanceof HubError) continue;
      const name = findStatedName(input.observations)!;
      owners.set(identifierKey(toIdentifier(focus)), { ...entity, type: 'person', name });
    }
  }

  /** Matches the person who shares an identifier with somebody of another name; creates them at the first time. */
  private async matchBeside(
    tx: Tx,
    input: PersonWriteInput,
    owners: NamedOwners,
    known: readonly Owner[],
  ): Promise<PersonMatch> {
    const none = { conflictingIds: new Set<string>(), owners };
    const [existing] = known;
    if (existing) {
      const focus: PreciseFocus = { form: 'uuid', id: existing.id };
      return { ...none, focus, entityId: existing.canonicalId, matchedOn: input.identifiers[0]!.form };
    }
    const id = newId();
    const reliability = (rules: ClaimRules) => resolveReliability(rules, input.origin.source, input.origin.method).r;
    const conflicts = input.identifiers.flatMap(focus => {
      const identifier = toIdentifier(focus);
      const owner = owners.get(identifierKey(identifier));
      return owner ? [{ identifier, owner, reliability }] : [];
    });
    await createPersonBeside(tx, id, conflicts[0]!.owner);
    const entity = { id, canonicalId: id, created: true, employer: undefined, conflicts };
    return { ...none, focus: { form: 'uuid', id }, entityId: id, matchedOn: null, entity };
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
    const { phoneCountry } = this.profiles.get(tx.workspace);
    const missing = matches.flatMap((match, i) => (match.entityId === undefined ? [i] : []));
    const subjects = missing.map(i => toEntityReference(toRecordCall(inputs[i]!, matches[i]!, 0), phoneCountry));
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
    return matches.map((match, i) => ({ ...match, entity: created.get(i) ?? match.entity }));
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

async function lookUpOwners(
  tx: Tx,
  inputs: readonly PersonWriteInput[],
  stated: readonly IdentifierFocus[] = [],
): Promise<Map<IdentifierKey, NamedOwner | null>> {
  const identifiers = [...inputs.flatMap(input => input.identifiers), ...stated].map(toIdentifier);
  const ids = inputs.flatMap(({ entityId }) => entityId ?? []);
  if (identifiers.length + ids.length === 0) return new Map();
  const keys = [...identifiers.map(identifierKey), ...ids.map(entityIdKey)];
  const found = await findNamedOwners(tx, identifiers, ids);
  return new Map(keys.map(key => [key, found.get(key) ?? null]));
}

/** Builds a record call. All facts of a row get the same time; of two rows about one person the later one wins. */
function toRecordCall(
  { identifiers, observations, origin, author }: PersonWriteInput,
  { focus, owners, entity }: PersonMatch,
  at: Instant,
): RecordCall {
  const alsoKnownAs: readonly IdentifierFocus[] = identifiers.filter(identifier => identifier !== focus);
  return {
    request: {
      focus,
      observations: observations.map(o => ({ observedAt: at, ...o })),
      alsoKnownAs,
      origin,
      ...(author !== undefined && { author }),
    },
    idempotencyKey: undefined,
    owners,
    ...(entity && { entity }),
  };
}
