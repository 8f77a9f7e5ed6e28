import { Injectable } from '@nestjs/common';
import { blendSimilarity } from '#domain/notes/blend.js';
import { computeLexicalSimilarity } from '#domain/notes/similarity.js';
import type { NoteType } from '#domain/notes/note.js';
import { listSpellableWords } from '#domain/notes/index-terms.js';
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

/** A checked question. */
export interface NoteSearchQuery {
  readonly question: string;
  /** Whose notes; what names nobody searches everybody's. */
  readonly focus: string | undefined;
  /** 1 to 20. */
  readonly limit: number;
}

/** A note that was found. */
export interface NoteHit {
  readonly id: string;
  readonly entity_id: string;
  readonly type: NoteType;
  readonly title: string;
  readonly date: string;
  /** Where the note came from. */
  readonly source: string;
  /** 0 to 1, four decimals; the higher, the closer. */
  readonly similarity: number;
  /** The passage that matches, a part of the note. */
  readonly snippet: string;
}

/** The answer of a search. */
export interface NoteSearchResponse {
  /** The closest first; of equals the newest. */
  readonly documents: readonly NoteHit[];
  readonly count: number;
  /** What `similarity` was made by. */
  readonly engine: 'lexical' | 'hybrid';
  /** Whether the focus narrowed the search down, or everybody's notes were searched. */
  readonly scope: 'focus' | 'workspace';
  /** Why the search was made by words alone: the embedder gave no answer, or the notes have no vectors of it yet. */
  readonly fallback?: 'embedder_unavailable' | 'vectors_missing';
}

/** Notes that are looked at from either side before words and meaning are blended. */
const MAX_CANDIDATES = 100;

/** What a mistyped word counts, times its likeness to the word that is found instead. */
const CORRECTION_WEIGHT = 0.8;

/** Searches notes by what they say. Nothing is ever made here. */
@Injectable()
export class NotesSearchService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly entities: EntityResolverService,
    private readonly vectors: NoteVectorsService,
  ) {}

  /** The notes that answer a question best, of one contact or of everybody. */
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

  /** The entities whose notes are meant; undefined when the focus names nobody. Of a name with several bearers all. */
  private async resolveEntityIds(tx: Tx, focus: string | undefined): Promise<string[] | undefined> {
    if (focus === undefined) return undefined;
    const found = await this.entities.resolve(tx, focus).catch(ignoreUnknownFocus);
    if (found === undefined) return undefined;
    return readNoteHolderIds(
      tx,
      typeof found === 'string' ? [found] : found.candidates.map(({ entity_id }) => entity_id),
    );
  }
}

/** By words and concepts; for words that no note has their concepts stand in, or they are taken for mistyped ones. */
async function searchLexically(tx: Tx, question: string, scope: SearchScope) {
  const typed = buildQueryTerms(question);
  const [missing, notes] = await Promise.all([
    findMissingTerms(
      tx,
      typed.map(({ token }) => token),
    ),
    searchTerms(tx, typed, scope),
  ]);
  // A word that the thesaurus has is spelled right.
  const unknown = listSpellableWords(question).filter(
    word => missing.has(stem(word)) && findConcepts(word).length === 0,
  );
  const guesses = unknown.length === 0 ? [] : await suggestTerms(tx, unknown, typed);
  const terms = [...buildQueryTerms(question, missing), ...guesses];
  const isSame = terms.length === typed.length && terms.every(({ weight }, i) => weight === typed[i]!.weight);
  return { notes: isSame ? notes : await searchTerms(tx, terms, scope), terms };
}

/** What the words may have been meant to be, by what the notes of the workspace have. */
async function suggestTerms(tx: Tx, words: readonly string[], asked: readonly QueryTerm[]): Promise<QueryTerm[]> {
  const guesses = new Map<string, number>();
  for (const { typed, word } of await findSimilarWords(tx, words)) {
    const weight = CORRECTION_WEIGHT * spellingSimilarity(typed, word);
    const token = stem(word);
    if (weight > (guesses.get(token) ?? 0)) guesses.set(token, weight);
  }
  for (const { token } of asked) guesses.delete(token);
  return [...guesses].map(([token, weight]) => ({ token, weight }));
}

/** A note with how near it comes. */
interface RankedNote extends Omit<NoteMatch, 'score' | 'ideal'> {
  readonly similarity: number;
}

function rankLexically(notes: readonly NoteMatch[]): RankedNote[] {
  return notes.map(({ score, ideal, ...note }) => ({ ...note, similarity: computeLexicalSimilarity(score, ideal) }));
}

/** Those found by words and those found by meaning, by both. */
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
  const nobody = error instanceof HubError && ['entity_not_found', 'invalid_focus'].includes(error.code);
  if (!nobody) throw error;
}
