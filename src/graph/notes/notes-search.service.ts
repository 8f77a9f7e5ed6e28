import { Injectable } from '@nestjs/common';
import { blendedSimilarity } from '#domain/notes/blend.js';
import { lexicalSimilarity } from '#domain/notes/similarity.js';
import type { NoteType } from '#domain/notes/note.js';
import { spellableWords } from '#domain/notes/index-terms.js';
import type { QueryTerm } from '#domain/text/bm25.js';
import { spellingLikeness } from '#domain/text/spelling.js';
import { snippetOf } from '#domain/text/snippet.js';
import { stem } from '#domain/text/stem.js';
import { queryTermsOf } from '#domain/text/question.js';
import { conceptsOf } from '#domain/text/thesaurus.js';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/errors.js';
import { FinderService } from '../identity/finder.service.js';
import { NoteVectors } from './embedder/note-vectors.service.js';
import type { NearNote } from './embedder/vectors.queries.js';
import { holdersOf } from './notes.list.queries.js';
import { type FoundNote, missingTerms, searchTerms, type SearchScope, similarWords } from './search.queries.js';

/** A checked question. */
export interface NotesQuestion {
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
export interface NotesFound {
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
const CANDIDATES = 100;

/** What a mistyped word counts, times its likeness to the word that is found instead. */
const GUESS_WEIGHT = 0.8;

/** Searches notes by what they say. Nothing is ever made here. */
@Injectable()
export class NotesSearchService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly finder: FinderService,
    private readonly vectors: NoteVectors,
  ) {}

  /** The notes that answer a question best, of one contact or of everybody. */
  async search(workspace: string, { question, focus, limit }: NotesQuestion): Promise<NotesFound> {
    const asked = await this.vectors.vectorOf(question);
    const found = await this.work.run(workspace, tx => this.searchIn(tx, { question, focus, limit }, asked));
    if (found.fallback === 'vectors_missing') await this.vectors.miss(workspace);
    return found;
  }

  private async searchIn(
    tx: Tx,
    { question, focus, limit }: NotesQuestion,
    asked: Awaited<ReturnType<NoteVectors['vectorOf']>>,
  ): Promise<NotesFound> {
    const entityIds = await this.holders(tx, focus);
    const hasVector = typeof asked === 'object';
    const { notes, terms } = await lexically(tx, question, { entityIds, limit: hasVector ? CANDIDATES : limit });
    const also = notes.map(({ id }) => id);
    const near = hasVector ? await this.vectors.near(tx, { ...asked, entityIds, also, limit: CANDIDATES }) : [];
    const isMissing = hasVector && near.length === 0 && notes.length > 0;
    const isHybrid = hasVector && !isMissing;
    const weights = new Map(terms.map(({ token, weight }) => [token, weight]));
    const ranked = isHybrid ? blended(notes, near) : byWords(notes);
    const documents = ranked.slice(0, limit).map(note => hitOf(note, weights));
    return {
      documents,
      count: documents.length,
      engine: isHybrid ? 'hybrid' : 'lexical',
      scope: entityIds ? 'focus' : 'workspace',
      ...(asked === 'down' && { fallback: 'embedder_unavailable' }),
      ...(isMissing && { fallback: 'vectors_missing' }),
    };
  }

  /** The entities whose notes are meant; undefined when the focus names nobody. Of a name with several bearers all. */
  private async holders(tx: Tx, focus: string | undefined): Promise<string[] | undefined> {
    if (focus === undefined) return undefined;
    const found = await this.finder.find(tx, focus).catch(unlessNobody);
    if (found === undefined) return undefined;
    return holdersOf(tx, typeof found === 'string' ? [found] : found.candidates.map(({ entity_id }) => entity_id));
  }
}

/** By words and concepts; for words that no note has their concepts stand in, or they are taken for mistyped ones. */
async function lexically(tx: Tx, question: string, scope: SearchScope) {
  const typed = queryTermsOf(question);
  const [missing, notes] = await Promise.all([
    missingTerms(
      tx,
      typed.map(({ token }) => token),
    ),
    searchTerms(tx, typed, scope),
  ]);
  // A word that the thesaurus has is spelled right.
  const unknown = spellableWords(question).filter(word => missing.has(stem(word)) && conceptsOf(word).length === 0);
  const guesses = unknown.length === 0 ? [] : await guessesFor(tx, unknown, typed);
  const terms = [...queryTermsOf(question, missing), ...guesses];
  const isSame = terms.length === typed.length && terms.every(({ weight }, i) => weight === typed[i]!.weight);
  return { notes: isSame ? notes : await searchTerms(tx, terms, scope), terms };
}

/** What the words may have been meant to be, by what the notes of the workspace have. */
async function guessesFor(tx: Tx, words: readonly string[], asked: readonly QueryTerm[]): Promise<QueryTerm[]> {
  const guesses = new Map<string, number>();
  for (const { typed, word } of await similarWords(tx, words)) {
    const weight = GUESS_WEIGHT * spellingLikeness(typed, word);
    const token = stem(word);
    if (weight > (guesses.get(token) ?? 0)) guesses.set(token, weight);
  }
  for (const { token } of asked) guesses.delete(token);
  return [...guesses].map(([token, weight]) => ({ token, weight }));
}

/** A note with how near it comes. */
interface RankedNote extends Omit<FoundNote, 'score' | 'ideal'> {
  readonly similarity: number;
}

function byWords(notes: readonly FoundNote[]): RankedNote[] {
  return notes.map(({ score, ideal, ...note }) => ({ ...note, similarity: lexicalSimilarity(score, ideal) }));
}

/** Those found by words and those found by meaning, by both. */
function blended(notes: readonly FoundNote[], near: readonly NearNote[]): RankedNote[] {
  const lexical = new Map(byWords(notes).map(note => [note.id, note]));
  const cosines = new Map(near.map(({ id, cosine }) => [id, cosine]));
  const byMeaning = near.filter(({ id }) => !lexical.has(id)).map(note => ({ ...note, similarity: 0 }));
  return [...lexical.values(), ...byMeaning]
    .map(note => ({ ...note, similarity: blendedSimilarity(note.similarity, cosines.get(note.id) ?? 0) }))
    .toSorted((a, b) => b.similarity - a.similarity || compare(b.date, a.date) || compare(a.id, b.id));
}

function hitOf(note: RankedNote, weights: ReadonlyMap<string, number>): NoteHit {
  const { id, entity_id, type, title, date, source, similarity, text } = note;
  return { id, entity_id, type, title, date, source, similarity, snippet: snippetOf(text, weights) };
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function unlessNobody(error: unknown): undefined {
  const nobody = error instanceof HubError && ['entity_not_found', 'invalid_focus'].includes(error.code);
  if (!nobody) throw error;
}
