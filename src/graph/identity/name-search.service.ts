import { Injectable } from '@nestjs/common';
import { defaultRules } from '#domain/claims/rules.js';
import { toClaim } from '#domain/claims/present-claim.js';
import { deserializeState } from '#domain/claims/property-state.js';
import { type EntityType, isPrecise, parseFocus, type PreciseFocus } from '#domain/identity/focus.js';
import {
  createCompanyTest,
  type NameCandidate,
  type NamedEntity,
  toNameCandidate,
  allowedEdits,
  isTypo,
  type NameQuery,
  parseNameQuery,
  type RankedName,
  rankName,
} from '#domain/identity/match-name.js';
import { listNicknames, toIndexedWord } from '#domain/identity/names.js';
import { editDistance } from '#domain/text/spelling.js';
import type { Instant } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import { findOwner } from './find-owner.js';
import type { Owner } from './identifiers.queries.js';
import {
  beginningWith,
  exactly,
  findByIdentifierStart,
  findByWords,
  readByIndexOnly,
  readSearchRows,
  readWordsNear,
  type IdentifierMatch,
  type SearchRow,
  type WordForm,
} from './name-search.queries.js';
import { describeEntities, type NamesakeRow } from './names.queries.js';
import { findPhoneOwners } from './phones.queries.js';

/** What to search. */
export interface NameSearch {
  readonly text: string;
  readonly types: readonly EntityType[];
  readonly limit: number;
  /** Name or domain of a company that matches must belong to. */
  readonly company?: string | undefined;
}

/** Matches, best first. */
export interface NameSearchResult {
  readonly hits: readonly NameCandidate[];
  /** Number of matches that were found, of which `hits` are the best. */
  readonly count: number;
}

interface Ranked extends RankedName {
  readonly id: string;
  readonly lastActivity: Instant | null;
}

/** Words of a query that are looked up; further ones only rank. */
const MAX_QUERY_WORDS = 6;
const MAX_DRIVERS = 3;
const MAX_NICKNAMES = 16;
const MAX_NEAR_WORDS = 24;
const MIN_WORDS_WITH_EXTRA = 3;
/** Matches by identifier rank below a name of the same kind, unless they are complete. */
const IDENTIFIER_SCORES = { label: 0.95, domain: 0.85, email: 0.75 } as const;

/** Finds people and companies by parts of their names, addresses and domains, also while somebody types. */
@Injectable()
export class NameSearchService {
  /**
   * Returns the best matches: exact ones, then names that begin with the text, then names with all of its words (also
   * as nicknames or together with the company), then similar ones. Never more than 200 are compared for each. At most
   * five round trips.
   */
  async search(tx: Tx, { text, types, limit, company }: NameSearch): Promise<NameSearchResult> {
    const focus = parseFocus(text);
    if (isPrecise(focus)) {
      const ids = (await findExact(tx, focus)).map(({ canonicalId }) => canonicalId);
      const rows = ids.length > 0 ? await readSearchRows(tx, ids, types) : [];
      if (rows.length > 0 || focus.form === 'uuid') return this.describe(tx, rows.map(toExact), limit, company);
    }
    const query = parseNameQuery(text);
    const ranked = await this.rank(tx, query, text, types, limit);
    return this.describe(tx, ranked, limit, company);
  }

  private async rank(
    tx: Tx,
    query: NameQuery,
    text: string,
    types: readonly EntityType[],
    limit: number,
  ): Promise<readonly Ranked[]> {
    const words = query.ownWords.slice(0, MAX_QUERY_WORDS);
    await readByIndexOnly(tx);
    const [named, identified] = await Promise.all([
      words.length === 0 ? [] : findByWords(tx, words.flatMap(toForms), findDrivers(words), words.length, types),
      this.findByIdentifiers(tx, text, words, types),
    ]);
    const found = mergeRanked([...rankRows(query, named), ...identified]);
    if (found.length >= limit || words.length === 0) return found;
    const similar = await this.findSimilar(tx, words, types);
    return mergeRanked([...found, ...rankRows(query, similar)]);
  }

  /** Finds names with typing errors: by the distinct words that share a beginning or an ending with one of the query. */
  private async findSimilar(tx: Tx, words: readonly string[], types: readonly EntityType[]): Promise<SearchRow[]> {
    const near = await Promise.all(words.map(word => this.findNearWords(tx, word)));
    const forms = words.flatMap((word, i) => [...toForms(word, i), ...near[i]!.map(other => exactly(i, other))]);
    const minWords = words.length >= MIN_WORDS_WITH_EXTRA ? words.length - 1 : words.length;
    return findByWords(tx, forms, findDrivers(words), minWords, types);
  }

  private async findNearWords(tx: Tx, word: string): Promise<string[]> {
    const typed = toIndexedWord(word);
    const edits = allowedEdits(typed.length);
    if (edits === 0) return [];
    // One edit leaves the first or the last half as it is; of two edits, most leave a third at one end.
    const length = Math.max(1, Math.floor((typed.length - 1) / (edits + 1)));
    const [starting, ending] = await Promise.all([
      readWordsNear(tx, typed.slice(0, length), 'word'),
      readWordsNear(tx, [...typed].toReversed().join('').slice(0, length), 'reversed'),
    ]);
    const candidates = [...new Set([...starting, ...ending])].filter(other => isTypo(typed, other));
    return candidates
      .map(other => ({ other, distance: editDistance(typed, other) }))
      .toSorted((a, b) => a.distance - b.distance || (a.other < b.other ? -1 : 1))
      .slice(0, MAX_NEAR_WORDS)
      .map(({ other }) => other);
  }

  private async findByIdentifiers(
    tx: Tx,
    text: string,
    words: readonly string[],
    types: readonly EntityType[],
  ): Promise<Ranked[]> {
    const starts = listIdentifierStarts(text, words);
    if (starts.length === 0) return [];
    const matches = await findByIdentifierStart(tx, starts);
    if (matches.length === 0) return [];
    const rows = await readSearchRows(
      tx,
      matches.map(({ id }) => id),
      types,
    );
    return rows.flatMap(row => {
      const own = matches.filter(({ id }) => id === row.id).map(match => rankIdentifier(match, starts));
      return own.map(ranked => ({ ...ranked, id: row.id, lastActivity: row.last_activity_at }));
    });
  }

  private async describe(
    tx: Tx,
    ranked: readonly Ranked[],
    limit: number,
    company: string | undefined,
  ): Promise<NameSearchResult> {
    if (ranked.length === 0) return { hits: [], count: 0 };
    const read = company === undefined ? ranked.slice(0, limit) : ranked;
    const [now, rows] = await Promise.all([
      tx.now(),
      describeEntities(
        tx,
        read.map(({ id }) => id),
      ),
    ]);
    const byId = new Map(rows.map(row => [row.entity_id, row]));
    const belongs = createCompanyTest(company);
    const hits = read.flatMap(({ id, matchedOn, score }) => {
      const row = byId.get(id);
      const entity = row && toNamedEntity({ ...row, name: row.name ?? findLabel(row) }, now);
      return entity && belongs(entity) ? [toNameCandidate({ ...entity, score }, matchedOn)] : [];
    });
    return { hits: hits.slice(0, limit), count: company === undefined ? ranked.length : hits.length };
  }
}

/** Returns the entities that a focus identifies: one, or everybody who has a phone number. */
async function findExact(tx: Tx, focus: PreciseFocus): Promise<readonly Owner[]> {
  if (focus.form === 'phone') return (await findPhoneOwners(tx, [focus.value])).get(focus.value) ?? [];
  const owner = await findOwner(tx, focus);
  return owner ? [owner] : [];
}

/** Returns what to call an entity without a name. */
function findLabel({ type, domain, email, linkedin_url, entity_id }: Omit<NamesakeRow, 'name'>): string {
  const own = type === 'company' ? [domain, linkedin_url] : [email, linkedin_url];
  return own.find(text => text !== null) ?? entity_id;
}

/** Reads the claims that tell an entity from its namesakes. */
export function toNamedEntity(row: NamesakeRow, now: Instant): NamedEntity {
  const text = (property: string, state: string | null) => {
    const value = state && toClaim(defaultRules, property, deserializeState(state), now)?.value;
    return typeof value === 'string' ? value : null;
  };
  return { ...row, title: text('title', row.title), company: text('company', row.company), score: null };
}

/** Returns what an indexed word may be to satisfy a word of a query: its beginning, or a nickname. */
function toForms(word: string, position: number): WordForm[] {
  const nicknames = listNicknames(word).slice(0, MAX_NICKNAMES).map(toIndexedWord);
  return [beginningWith(position, toIndexedWord(word)), ...nicknames.map(other => exactly(position, other))];
}

/** Returns the positions of the longest words, which are the rarest. */
function findDrivers(words: readonly string[]): number[] {
  const order = words.map((word, i) => ({ i, length: word.length })).toSorted((a, b) => b.length - a.length);
  return order.slice(0, MAX_DRIVERS).map(({ i }) => i);
}

/** Returns the beginnings of addresses and domains that a text may be: as typed, or a name as mailboxes spell it. */
function listIdentifierStarts(text: string, words: readonly string[]): string[] {
  const typed = text.trim().toLowerCase();
  if (words.length === 0 || /\s.*\s/.test(typed)) return [];
  if (!/\s/.test(typed)) return [typed.replace(/^(?:https?:\/\/)?(?:www\.)?/, '')];
  const [first, last] = words;
  return last === undefined ? [] : [`${first}.${last}`, `${first}_${last}`, `${first}${last}`];
}

function rankIdentifier({ kind, key }: IdentifierMatch, starts: readonly string[]): RankedName {
  const typed = starts.find(start => key.startsWith(start)) ?? '';
  if (key === typed) return { matchedOn: 'exact', score: 1 };
  const label = key.slice(0, key.indexOf(kind === 'email' ? '@' : '.'));
  if (label === typed) return { matchedOn: 'prefix', score: IDENTIFIER_SCORES[kind === 'email' ? 'email' : 'label'] };
  const coverage = typed.length / key.length;
  return { matchedOn: 'prefix', score: Number((IDENTIFIER_SCORES[kind] - 0.1 * (1 - coverage)).toFixed(4)) };
}

function rankRows(query: NameQuery, rows: readonly SearchRow[]): Ranked[] {
  return rows.flatMap(({ id, name, company, last_activity_at: lastActivity }) => {
    const ranked = name === null ? undefined : rankName(query, name, company);
    return ranked ? [{ ...ranked, id, lastActivity }] : [];
  });
}

/** Orders matches by score, then activity, then ID, and keeps the best of each entity. */
function mergeRanked(all: readonly Ranked[]): Ranked[] {
  const ordered = all.toSorted(
    (a, b) =>
      b.score - a.score || (b.lastActivity ?? -Infinity) - (a.lastActivity ?? -Infinity) || (a.id < b.id ? -1 : 1),
  );
  return [...new Map(ordered.toReversed().map(each => [each.id, each])).values()].toReversed();
}

function toExact({ id, last_activity_at: lastActivity }: SearchRow): Ranked {
  return { id, lastActivity, matchedOn: 'exact', score: 1 };
}
