import { Injectable } from '@nestjs/common';
import { type IdentifierFocus, identifierOf, type PreciseFocus } from '#domain/identity/focus.js';
import type { PersonInput } from '#domain/people/read-person.js';
import type { Tx } from '#kernel/db/transaction.js';
import { HubError } from '#kernel/errors/errors.js';
import { findOwners, type Handle, handleOf, handleOfId, type Owner } from '../identity/identifiers.queries.js';
import { ObservationWriter } from '../observations/observation-writer.js';
import type { RecordCall } from '../observations/record-call.js';
import type { Recorded } from '../observations/recorded.js';

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
}

/** What became of a wish. */
export type PersonOutcome = { readonly recorded: Recorded; readonly match: Match } | { readonly error: HubError };

/** Finds people by their identifiers and writes what is asserted of them, with a handful of statements for all. */
@Injectable()
export class PersonWriter {
  constructor(private readonly writer: ObservationWriter) {}

  /**
   * Who these wishes are about, in their order; or why one of them is about nobody: `identifier_conflict` when its
   * identifiers belong to different entities, `entity_not_found` for an id that nobody has, `identifier_required`.
   * One statement.
   */
  async match(tx: Tx, wishes: readonly PersonWish[]): Promise<(Match | HubError)[]> {
    const identifiers = wishes.flatMap(wish => wish.identifiers.map(identifierOf));
    const ids = wishes.flatMap(({ entityId }) => entityId ?? []);
    const owners = identifiers.length + ids.length === 0 ? new Map() : await findOwners(tx, identifiers, ids);
    return wishes.map(wish => matchOf(wish, owners));
  }

  /** Writes wishes to whom they were matched with; in their order. Call it once per transaction. */
  async write(tx: Tx, wishes: readonly PersonWish[], matches: readonly (Match | HubError)[]): Promise<PersonOutcome[]> {
    const now = await tx.now();
    const calls = new Map<number, RecordCall>();
    matches.forEach((match, i) => {
      if (!(match instanceof HubError)) calls.set(i, callOf(wishes[i]!, match.focus, now + i));
    });
    const outcomes = await this.writer.write(tx, [...calls.values()]);
    const byIndex = new Map([...calls.keys()].map((index, i) => [index, outcomes[i]!]));
    return matches.map((match, i): PersonOutcome => {
      if (match instanceof HubError) return { error: match };
      const outcome = byIndex.get(i)!;
      if ('answer' in outcome) return { recorded: outcome.answer.body, match };
      return { error: outcome.error instanceof HubError ? outcome.error : HubError.entityNotFound() };
    });
  }
}

function matchOf({ identifiers, entityId }: PersonWish, owners: ReadonlyMap<Handle, Owner>): Match | HubError {
  const known = identifiers.flatMap(focus => {
    const owner = owners.get(handleOf(identifierOf(focus)));
    return owner ? [{ focus, id: owner.canonicalId }] : [];
  });
  if (entityId !== undefined) {
    const owner = owners.get(handleOfId(entityId));
    if (!owner) return HubError.entityNotFound();
    const ids = new Set([owner.canonicalId, ...known.map(({ id }) => id)]);
    const focus = { form: 'uuid', id: entityId } as const;
    return ids.size > 1 ? conflictOf(ids) : { focus, entityId: owner.canonicalId, matchedOn: 'entity_id' };
  }
  const ids = new Set(known.map(({ id }) => id));
  if (ids.size > 1) return conflictOf(ids);
  const [first] = known;
  if (first) return { focus: first.focus, entityId: first.id, matchedOn: first.focus.form };
  const [focus] = identifiers;
  return focus ? { focus, entityId: undefined, matchedOn: null } : new HubError('identifier_required');
}

function conflictOf(ids: ReadonlySet<string>): HubError {
  return new HubError('identifier_conflict', { extra: { entity_ids: [...ids].toSorted() } });
}

/** Facts of one row hold at one moment; of two rows about one person the later one wins. */
function callOf({ identifiers, observations }: PersonWish, focus: PreciseFocus, observedAt: number): RecordCall {
  const alsoKnownAs: readonly IdentifierFocus[] = identifiers.filter(identifier => identifier !== focus);
  return {
    request: { focus, observations: observations.map(o => ({ observedAt, ...o })), alsoKnownAs },
    idempotencyKey: undefined,
  };
}
