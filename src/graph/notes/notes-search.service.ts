import { Injectable } from '@nestjs/common';
import { blendSimilarity, computeLexicalSimilarity } from '#domain/notes/similarity.js';
import type { NoteType } from '#domain/notes/note.js';
import { listSpellableWords } from '#domain/notes/passages.js';
import type { QueryTerm } from '#domain/text/bm25.js';
import { spellingSimilarity } from '#domain/text/spelling.js';
import { extractSnippet } from '#domain/text/snippet.js';
import { stem } from '#domain/text/stem.js';
import { buildQueryTerms } from '#domain/text/query-terms.js';
import { findConcepts } from '#domain/text/thesaurus.js';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { EntityResolverService } from '../identity/entity-resolver.service.js';
import { NoteVectorsService } from './embedder/note-vectors.service.js';
import type { NearestNote } from './embedder/vectors.queries.js';
import { readNoteHolderIds } from './notes-list.queries.js';
import { type NoteMatch, findMissingTerms, searchTerms, type SearchScope, findSimilarWords } from './search.queries.js';

/** A validated search. */
export interface NoteSearchQuery {
  readonly question: string;
  /** Searches the notes of this entity only; if it matches no entity, all notes are searched. */
  readonly focus: string | undefined;
  /** 1 to 20. */
  readonly limit: number;
}

/** A note in the search results. */
export interface NoteHit {
  readonly id: string;
  readonly entity_id: string;
  readonly type: NoteType;
  readonly title: string;
  readonly date: string;
  /** Where the note came from. */
  readonly source: string;
  /** 0 to 1, four decimals; higher is closer. */
  readonly similarity: number;
  /** The matching passage of the note. */
  readonly snippet: string;
}

/** Response of a search. */
export interface NoteSearchResponse {
  /** Closest first, then newest first. */
  readonly documents: readonly NoteHit[];
  readonly count: number;
  /** How `similarity` was computed. */
  readonly engine: 'lexical' | 'hybrid';
  /** Whether only the notes of the focus were searched, or all notes of the workspace. */
  readonly scope: 'focus' | 'workspace';
  /** Why the search was lexical only: the embedder is unavailable, or the notes have no vectors of it yet. */
  readonly fallback?: 'embedder_unavailable' | 'vectors_missing';
}

/** Maximum number of notes from each of the lexical and the vector search before they are blended. */
const MAX_CANDIDATES = 100;

/** Weight of a spelling correction, multiplied by its similarity to the typed word. */
const CORRECTION_WEIGHT = 0.8;

/** Searches notes by their content. Creates no entities. */
@Injectable()
export class NotesSearchService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly entities: EntityResolverService,
    private readonly vectors: NoteVectorsService,
  ) {}

  /** Finds the notes closest to a question, of one entity or of the workspace. */
  async search(workspace: string, { question, focus, limit }: NoteSearchQuery): Promise<NoteSearchResponse> {
    const questionVector = await this.vectors.embedQuestion(question);
    const found = await this.work.run(workspace, tx =>
      this.searchInTransaction(tx, { question, focus, limit }, questionVector),
    );
    if (found.fallback === 'vectors_missing') await this.vectors.requestBackfill(workspace);
    return found;
  }

  private async searchInTransaction(
    tx: Tx,
    { question, focus, limit }: NoteSearchQuery,
    questionVector: Awaited<ReturnType<NoteVectorsService['embedQuestion']>>,
  ): Promise<NoteSearchResponse> {
    const entityIds = await this.resolveEntityIds(tx, focus);
    const hasVector = typeof questionVector === 'object';
    const { notes, terms } = await searchLexically(tx, question, {
      entityIds,
      limit: hasVector ? MAX_CANDIDATES : limit,
    });
    const includeIds = notes.map(({ id }) => id);
    const near = hasVector
      ? await this.vectors.findNearest(tx, { ...questionVector, entityIds, includeIds, limit: MAX_CANDIDATES })
      : [];
    const isMissing = hasVector && near.length === 0 && notes.length > 0;
    const isHybrid = hasVector && !isMissing;
    const weights = new Map(terms.map(({ token, weight }) => [token, weight]));
    const ranked = isHybrid ? blendRankings(notes, near) : rankLexically(notes);
    const documents = ranked.slice(0, limit).map(note => toHit(note, weights));
    return {
      documents,
      count: documents.length,
      engine: isHybrid ? 'hybrid' : 'lexical',
      scope: entityIds ? 'focus' : 'workspace',
      ...(questionVector === 'down' && { fallback: 'embedder_unavailable' }),
      ...(isMissing && { fallback: 'vectors_missing' }),
    };
  }

  /**
   * Returns the entities whose notes are searched; undefined if the focus matches none. An ambiguous name means all that
   * it matches without typing errors.
   */
  private async resolveEntityIds(tx: Tx, focus: string | undefined): Promise<string[] | undefined> {
    if (focus === undefined) return undefined;
    const found = await this.entities.resolve(tx, focus).catch(ignoreUnknownFocus);
    if (found === undefined) return undefined;
    if (typeof found === 'string') return readNoteHolderIds(tx, [found]);
    const named = found.candidates.filter(({ matched_on }) => matched_on !== 'similar');
    return named.length === 0
      ? undefined
      : readNoteHolderIds(
          tx,
          named.map(({ entity_id }) => entity_id),
        );
  }
}

/**
 * Searches by words and concepts. Words that no note contains are replaced by their concepts, or else by similarly
 * spelled words.
 */
async function searchLexically(tx: Tx, question: string, scope: SearchScope) {
  const typed = buildQueryTerms(question);
  const [missing, notes] = await Promise.all([
    findMissingTerms(
      tx,
      typed.map(({ token }) => token),
    ),
    searchTerms(tx, typed, scope),
  ]);
  // Words in the thesaurus are spelled correctly.
  const unknown = listSpellableWords(question).filter(
    word => missing.has(stem(word)) && findConcepts(word).length === 0,
  );
  const guesses = unknown.length === 0 ? [] : await suggestTerms(tx, unknown, typed);
  const terms = [...buildQueryTerms(question, missing), ...guesses];
  const isSame = terms.length === typed.length && terms.every(({ weight }, i) => weight === typed[i]!.weight);
  return { notes: isSame ? notes : await searchTerms(tx, terms, scope), terms };
}

/** Returns spelling corrections of the words from the words of the workspace's notes, except terms of the query. */
async function suggestTerms(tx: Tx, words: readonly string[], queryTerms: readonly QueryTerm[]): Promise<QueryTerm[]> {
  const guesses = new Map<string, number>();
  for (const { typed, word } of await findSimilarWords(tx, words)) {
    const weight = CORRECTION_WEIGHT * spellingSimilarity(typed, word);
    const token = stem(word);
    if (weight > (guesses.get(token) ?? 0)) guesses.set(token, weight);
  }
  for (const { token } of queryTerms) guesses.delete(token);
  return [...guesses].map(([token, weight]) => ({ token, weight }));
}

/** A note with its similarity to the question. */
interface RankedNote extends Omit<NoteMatch, 'score' | 'ideal'> {
  readonly similarity: number;
}

function rankLexically(notes: readonly NoteMatch[]): RankedNote[] {
  return notes.map(({ score, ideal, ...note }) => ({ ...note, similarity: computeLexicalSimilarity(score, ideal) }));
}

/** Blends lexical and vector results by their combined similarity. */
function blendRankings(notes: readonly NoteMatch[], near: readonly NearestNote[]): RankedNote[] {
  const lexical = new Map(rankLexically(notes).map(note => [note.id, note]));
  const cosines = new Map(near.map(({ id, cosine }) => [id, cosine]));
  const byMeaning = near.filter(({ id }) => !lexical.has(id)).map(note => ({ ...note, similarity: 0 }));
  return [...lexical.values(), ...byMeaning]
    .map(note => ({ ...note, similarity: blendSimilarity(note.similarity, cosines.get(note.id) ?? 0) }))
    .toSorted((a, b) => b.similarity - a.similarity || compare(b.date, a.date) || compare(a.id, b.id));
}

function toHit(note: RankedNote, weights: ReadonlyMap<string, number>): NoteHit {
  const { id, entity_id, type, title, date, source, similarity, text } = note;
  return { id, entity_id, type, title, date, source, similarity, snippet: extractSnippet(text, weights) };
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function ignoreUnknownFocus(error: unknown): undefined {
  const isUnknown = error instanceof HubError && ['entity_not_found', 'invalid_focus'].includes(error.code);
  if (!isUnknown) throw error;
}
