import { Injectable } from '@nestjs/common';
import { type IdentifierFocus, identifierOf, type PreciseFocus } from '#domain/identity/focus.js';
import type { PersonInput } from '#domain/people/read-person.js';
import type { Instant } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import { HubError } from '#kernel/errors/errors.js';
import { findOwners, handleOf, handleOfId } from '../identity/identifiers.queries.js';
import { IdentityService, type LookedUp, type ResolvedEntity } from '../identity/identity.service.js';
import { ObservationWriter } from '../observations/observation-writer.js';
import { type RecordCall, subjectOf } from '../observations/record-call.js';
import type { Recorded } from '../observations/recorded.js';
import type { Sequel } from '../observations/sequel.js';

/** A person to be found or made, and what is asserted of them. */
export interface PersonWish extends PersonInput {
  /** The entity, where the caller knows it. */
  readonly entityId?: string;
}

/** Who a wish is about. */
export interface Match {
  /** By what they will be written to. */
  readonly focus: PreciseFocus;
  /** The id that they are read by; undefined for somebody new. */
  readonly entityId: string | undefined;
  /** Kind of the identifier that was known, or `entity_id`; null for somebody new. */
  readonly matchedOn: string | null;
  /** Others whom its identifiers name as well. */
  readonly rivals: ReadonlySet<string>;
  /** Whom the look-up of all wishes has found. */
  readonly owners: LookedUp;
  /** Somebody new, once they have been made. */
  readonly entity?: ResolvedEntity | undefined;
}

/** What became of a wish. */
export type PersonOutcome = { readonly recorded: Recorded; readonly match: Match } | { readonly error: HubError };

/** Finds people by their identifiers and writes what is asserted of them, with a handful of statements for all. */
@Injectable()
export class PersonWriter {
  constructor(
    private readonly writer: ObservationWriter,
    private readonly identity: IdentityService,
  ) {}

  /**
   * Who these wishes are about, in their order; or why one of them is about nobody: `identifier_conflict` when its
   * identifiers belong to different entities, `entity_not_found` for an id that nobody has, `identifier_required`.
   * One statement.
   * @param settle take different entities for a match: writing it joins them, unless something speaks against it.
   */
  async match(tx: Tx, wishes: readonly PersonWish[], settle = false): Promise<(Match | HubError)[]> {
    const owners = await lookUp(tx, wishes);
    return wishes.map(wish => {
      const match = matchOf(wish, owners);
      const refused = !settle && !(match instanceof HubError) && match.rivals.size > 0;
      return refused ? conflictOf([match.entityId!, ...match.rivals]) : match;
    });
  }

  /** Whom the identifiers of a wish name by now, by canonical id. One statement. */
  async named(tx: Tx, wish: PersonWish): Promise<ReadonlySet<string>> {
    const owners = await lookUp(tx, [wish]);
    return new Set([...owners.values()].flatMap(owner => owner?.canonicalId ?? []));
  }

  /**
   * Makes those whom nobody knows, before anything is asserted of them: `write` takes the matches that it gives, in
   * the order of the wishes. One statement.
   */
  async meet(tx: Tx, wishes: readonly PersonWish[], matches: readonly Match[]): Promise<Match[]> {
    const strangers = matches.flatMap((match, i) => (match.entityId === undefined ? [i] : []));
    const subjects = strangers.map(i => subjectOf(callOf(wishes[i]!, matches[i]!, 0)));
    const more = matches.some((match, i) => match.entityId !== undefined && bringsNew(wishes[i]!, match));
    const entities = await this.identity.resolveOrCreate(tx, subjects, more);
    const met = new Map(strangers.map((i, n) => [i, entities[n]]));
    return matches.map((match, i) => ({ ...match, entity: met.get(i) }));
  }

  /**
   * Writes wishes to whom they were matched with; in their order. Call it once per transaction.
   * @param sequel what follows from them, and is recorded with them.
   */
  async write(
    tx: Tx,
    wishes: readonly PersonWish[],
    matches: readonly (Match | HubError)[],
    sequel?: Sequel,
  ): Promise<PersonOutcome[]> {
    const now = await tx.now();
    const calls = new Map<number, RecordCall>();
    matches.forEach((match, i) => {
      if (!(match instanceof HubError)) calls.set(i, callOf(wishes[i]!, match, now + i));
    });
    const outcomes = await this.writer.write(tx, [...calls.values()], sequel);
    const byIndex = new Map([...calls.keys()].map((index, i) => [index, outcomes[i]!]));
    return matches.map((match, i): PersonOutcome => {
      if (match instanceof HubError) return { error: match };
      const outcome = byIndex.get(i)!;
      if ('answer' in outcome) return { recorded: outcome.answer.body, match };
      return { error: outcome.error instanceof HubError ? outcome.error : HubError.entityNotFound() };
    });
  }
}

function bringsNew({ identifiers }: PersonWish, { owners }: Match): boolean {
  return identifiers.some(focus => !owners.get(handleOf(identifierOf(focus))));
}

async function lookUp(tx: Tx, wishes: readonly PersonWish[]): Promise<LookedUp> {
  const identifiers = wishes.flatMap(wish => wish.identifiers.map(identifierOf));
  const ids = wishes.flatMap(({ entityId }) => entityId ?? []);
  if (identifiers.length + ids.length === 0) return new Map();
  const asked = [...identifiers.map(handleOf), ...ids.map(handleOfId)];
  const found = await findOwners(tx, identifiers, ids);
  return new Map(asked.map(handle => [handle, found.get(handle) ?? null]));
}

function matchOf({ identifiers, entityId }: PersonWish, owners: LookedUp): Match | HubError {
  const known = identifiers.flatMap(focus => {
    const owner = owners.get(handleOf(identifierOf(focus)));
    return owner ? [{ focus, id: owner.canonicalId }] : [];
  });
  const matched = (focus: PreciseFocus, id: string | undefined, matchedOn: string | null): Match => {
    const rivals = new Set(known.flatMap(other => (other.id === id ? [] : [other.id])));
    return { focus, entityId: id, matchedOn, rivals, owners };
  };
  if (entityId !== undefined) {
    const owner = owners.get(handleOfId(entityId));
    return owner ? matched({ form: 'uuid', id: entityId }, owner.canonicalId, 'entity_id') : HubError.entityNotFound();
  }
  const [first] = known;
  if (first) return matched(first.focus, first.id, first.focus.form);
  const [focus] = identifiers;
  return focus ? matched(focus, undefined, null) : new HubError('identifier_required');
}

/** Identifiers of one wish belong to different entities. @param more why they were not joined. */
export function conflictOf(ids: Iterable<string>, more: object = {}): HubError {
  return new HubError('identifier_conflict', { extra: { entity_ids: [...new Set(ids)].toSorted(), ...more } });
}

/** Facts of one row hold at one moment; of two rows about one person the later one wins. */
function callOf(
  { identifiers, observations, origin }: PersonWish,
  { focus, owners, entity }: Match,
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
