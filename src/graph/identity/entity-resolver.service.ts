import { Injectable } from '@nestjs/common';
import { isPrecise, type NameFocus, parseFocus, type PhoneFocus, toIdentifier } from '#domain/identity/focus.js';
import { toNameCandidate, type NameCandidate, matchName, type NameHints } from '#domain/identity/match-name.js';
import { toIso } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { isErased, type Owner } from './identifiers.queries.js';
import { findOwner } from './find-owner.js';
import { NameSearchService, toNamedEntity } from './name-search.service.js';
import { describeEntities, findNamesakes } from './names.queries.js';
import { readIdentifiersOf, readMemberIds } from './links.queries.js';
import { findPhoneOwners } from './phones.queries.js';
import { findRetractedPeople } from './retracted.queries.js';

/**
 * A name that matches more than one entity, or is only similar to names. Not an error: the caller picks a candidate and
 * calls again.
 */
export interface AmbiguousName {
  readonly status: 'ambiguous';
  readonly query: string;
  /** Number of matching entities. */
  readonly count: number;
  /** At most ten, the best match first, then the most recently active. */
  readonly candidates: readonly PresentedCandidate[];
  /** How to go on. */
  readonly next_call: string;
}

/** A candidate with its time in ISO 8601. */
export type PresentedCandidate = Omit<NameCandidate, 'last_activity_at'> & { readonly last_activity_at: string | null };

const MAX_CANDIDATES = 10;

/** Resolves the entity that a read refers to. Reads accept bare names. Never creates entities. */
@Injectable()
export class EntityResolverService {
  constructor(private readonly names: NameSearchService) {}

  /**
   * Resolves `text` to the canonical id of an entity, or to the candidates of an ambiguous name. A name that no entity
   * has exactly is never picked: what it may mean is returned as candidates, even if there is only one. Claims are stored
   * under the canonical id; the log is stored under the ids of all cluster members.
   * @throws HubError `invalid_focus` for text that cannot be a focus; `entity_not_found`.
   */
  async resolve(tx: Tx, text: string, hints: NameHints = {}): Promise<string | AmbiguousName> {
    const focus = parseFocus(text);
    if (focus.form === 'invalid') throw HubError.invalidFocus(focus.reason);
    if (focus.form === 'name') return this.resolveName(tx, focus, hints);
    if (focus.form === 'phone') return this.resolvePhone(tx, focus);
    return (await this.resolveOwner(tx, text)).canonicalId;
  }

  /**
   * Resolves the focus of a write to its entity and cluster.
   * @throws HubError `invalid_focus` for a bare name; `entity_not_found`; `entity_erased` for the id of an erased
   *   person; `ambiguous_focus` for a phone number of several.
   */
  async resolveOwner(tx: Tx, text: string): Promise<Owner> {
    const focus = parseFocus(text);
    if (!isPrecise(focus)) throw HubError.invalidFocus(focus.form === 'invalid' ? focus.reason : undefined);
    const owner = await findOwner(tx, focus);
    if (owner) return owner;
    throw focus.form === 'uuid' && (await isErased(tx, focus.id))
      ? new HubError('entity_erased')
      : HubError.entityNotFound(text.trim());
  }

  /**
   * Resolves the person of a request about personal data. A person with everything retracted is found, too.
   * @returns the ids of all entities that are the person, the canonical one first, and its owner if it was not retracted.
   * @throws HubError as {@link resolveOwner}.
   */
  async resolvePerson(tx: Tx, text: string): Promise<{ readonly owner?: Owner; readonly ids: readonly string[] }> {
    const focus = parseFocus(text);
    const owner = isPrecise(focus) ? await findOwner(tx, focus) : undefined;
    const members = owner ? await readMemberIds(tx, owner.canonicalId) : [];
    const named = isPrecise(focus) && focus.form !== 'uuid' ? [toIdentifier(focus)] : [];
    const identifiers = owner ? await readIdentifiersOf(tx, members) : named;
    const id = isPrecise(focus) && focus.form === 'uuid' ? focus.id : null;
    const retracted = await findRetractedPeople(tx, identifiers, id);
    if (owner) return { owner, ids: [...members, ...retracted] };
    if (retracted.length > 0) return { ids: retracted };
    return { owner: await this.resolveOwner(tx, text), ids: [] };
  }

  /**
   * Returns the entities with a name, for a caller that has to pick one even if only one matches. Returns undefined if
   * the text is not a name.
   * @throws HubError `entity_not_found`.
   */
  async findCandidates(tx: Tx, text: string): Promise<AmbiguousName | undefined> {
    const focus = parseFocus(text);
    if (focus.form !== 'name') return undefined;
    const [now, namesakes] = await Promise.all([tx.now(), findNamesakes(tx, focus.key)]);
    const named = namesakes.map(row => toNamedEntity(row, now));
    if (named.length === 0) return this.findSimilar(tx, focus, {});
    const match = matchName(focus.text, named);
    const candidates = match.status === 'ambiguous' ? match.candidates : named.map(entity => toNameCandidate(entity));
    return toAmbiguous(focus.text, named.length, candidates);
  }

  /** Returns the entity that has a phone number, or the candidates if several have it. */
  private async resolvePhone(tx: Tx, { value }: PhoneFocus): Promise<string | AmbiguousName> {
    const own = (await findPhoneOwners(tx, [value])).get(value) ?? [];
    if (own.length === 0) throw HubError.entityNotFound(value);
    if (own.length === 1) return own[0]!.canonicalId;
    const ids = own.map(({ canonicalId }) => canonicalId);
    const [now, rows] = await Promise.all([tx.now(), describeEntities(tx, ids)]);
    const candidates = rows.map(row => toNameCandidate(toNamedEntity({ ...row, name: row.name ?? value }, now)));
    return toAmbiguous(value, own.length, candidates.slice(0, MAX_CANDIDATES));
  }

  private async resolveName(tx: Tx, focus: NameFocus, hints: NameHints): Promise<string | AmbiguousName> {
    const [now, namesakes] = await Promise.all([tx.now(), findNamesakes(tx, focus.key)]);
    const match = matchName(
      focus.text,
      namesakes.map(row => toNamedEntity(row, now)),
      hints,
    );
    if (match.status === 'one') return match.entity.entity_id;
    if (match.status === 'ambiguous') return toAmbiguous(focus.text, match.count, match.candidates);
    return this.findSimilar(tx, focus, hints);
  }

  private async findSimilar(tx: Tx, { text }: NameFocus, { type, company }: NameHints): Promise<AmbiguousName> {
    const types = type === undefined ? (['person', 'company'] as const) : [type];
    const { hits, count } = await this.names.search(tx, { text, types, company, limit: MAX_CANDIDATES });
    if (hits.length === 0) throw HubError.nameNotFound(text);
    return toAmbiguous(text, count, hits);
  }
}

function toAmbiguous(query: string, count: number, candidates: readonly NameCandidate[]): AmbiguousName {
  const next_call =
    'Pick a candidate by what you know of it, or ask the user; then send the same request with its entity_id in place ' +
    `of the name, such as ${candidates[0]!.entity_id}.`;
  return { status: 'ambiguous', query, count, candidates: candidates.map(presentCandidate), next_call };
}

/** Returns a candidate with its time in ISO 8601. */
export function presentCandidate(candidate: NameCandidate): PresentedCandidate {
  const { last_activity_at: last } = candidate;
  return { ...candidate, last_activity_at: last === null ? null : toIso(last) };
}

/** The next tool call to make, for an ambiguous name. */
interface NextCall {
  readonly next_call?: string;
}

/**
 * Adds the next tool call to the result of a tool if the name is ambiguous.
 * @param argument name of the tool's argument that takes the entity, such as `focus`.
 */
export function withNextCall<T extends object>(result: T, tool: string, argument: string): T & NextCall {
  const { status, candidates } = result as { status?: unknown; candidates?: readonly { entity_id: string }[] };
  const first = candidates?.[0];
  if (status !== 'ambiguous' || !first) return result;
  const call = JSON.stringify({ [argument]: first.entity_id });
  const next_call = `Pick one by what you know of them, or ask the user; then call ${tool} with its entity_id, as in ${call}.`;
  return { ...result, next_call };
}
