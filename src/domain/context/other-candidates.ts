import { isNoteEntry } from '#domain/facts/notes.js';
import type { Json } from '#domain/observation/observation.js';
import { inWords, oneLine, quoted } from '#domain/observation/summary.js';
import { looksLikeModel } from '#domain/score/read-model.js';
import { DAY, type Instant, toIso } from '#domain/time/instant.js';
import { eventFreshness, eventInWords, type LoggedEvent } from './activity.js';
import type { ContextCandidate } from './candidate.js';

/** A note, with the passage of it that matters. */
export interface NotePassage {
  readonly id: string;
  readonly entity_id: string;
  readonly type: string;
  readonly title: string;
  /** YYYY-MM-DD. */
  readonly date: string;
  /** Where it came from. */
  readonly source: string;
  readonly snippet: string;
}

/** A passage of what the workspace says of itself. */
export interface WorkspacePassage {
  readonly refId: string;
  readonly section: string;
  readonly value: string;
}

/** How sure we are of what was logged, saved or written by the workspace itself. */
const LOGGED = 0.9;

/** Half of what notes say is old after so many days. */
const NOTE_HALF_LIFE = 180;

const LONGEST_SOURCE = 40;
const LONGEST_PASSAGE = 280;
const MOST_PASSAGES = 20;
/** Where a passage may end: at a blank, behind a sentence, or with the text. */
const PASSAGE_END = /\s|[.!?](?=\s)|$/g;

/** Something that happened, as it may be told: with its day and source, and what was said as a quotation. */
export function eventCandidate(event: LoggedEvent, now: Instant): ContextCandidate {
  return {
    kind: 'event',
    refId: event.id,
    label: `${toIso(event.happens_at).slice(0, 10)} | ${sourceInLabel(event.source)}`,
    text: eventInWords(event),
    freshness: eventFreshness(event.happens_at, now),
    confidence: LOGGED,
    past: false,
    boosted: false,
  };
}

/** A note, as it may be told: with its day and source, and what it says as a quotation. */
export function noteCandidate({ id, type, title, date, source, snippet }: NotePassage, now: Instant): ContextCandidate {
  const age = Math.max(0, now - Date.parse(date) * 1000);
  return {
    kind: 'note',
    refId: id,
    label: `${type} | ${date} | ${sourceInLabel(source)}`,
    text: quoted(`${title}: ${snippet}`, 320),
    freshness: 2 ** (-age / (NOTE_HALF_LIFE * DAY)),
    confidence: LOGGED,
    past: false,
    boosted: false,
  };
}

/** A source may be called anything; in a label it stays within it. */
function sourceInLabel(source: string): string {
  return oneLine(source.replaceAll(/[[\]|"]/g, ' '), LONGEST_SOURCE);
}

/** A passage of the workspace's own facts, as it may be told. */
export function workspaceCandidate({ refId, section, value }: WorkspacePassage): ContextCandidate {
  return {
    kind: 'workspace_fact',
    refId,
    label: section,
    text: value,
    words: section.replaceAll('_', ' '),
    freshness: 1,
    confidence: LOGGED,
    past: false,
    boosted: false,
  };
}

/**
 * The passages of a section: paragraphs of a text, entries of an object or of notes, 280 characters at most, twenty at
 * most. None of a scoring model: that is no prose.
 */
export function passagesOf(section: string, content: Json): WorkspacePassage[] {
  if (looksLikeModel(content)) return [];
  return wordsIn(content)
    .slice(0, MOST_PASSAGES)
    .map((value, i) => ({ refId: `workspace:${section}#${i + 1}`, section, value }));
}

function wordsIn(content: Json): string[] {
  if (typeof content === 'string') return [...cutPassages(content).take(MOST_PASSAGES)].map(text => oneLine(text));
  if (Array.isArray(content))
    return content.map(entry => inWords(isNoteEntry(entry) ? entry.content : entry, LONGEST_PASSAGE));
  if (content === null || typeof content !== 'object') return [inWords(content)];
  return Object.entries(content).map(([key, value]) => oneLine(`${key}: ${inWords(value)}`, LONGEST_PASSAGE));
}

/**
 * Cuts a text into passages of at most {@link LONGEST_PASSAGE} characters, each as long as it can be. Of a run without
 * blanks that is longer, its end alone is a passage. Takes time in proportion to the text.
 */
function* cutPassages(text: string): Generator<string> {
  const ends = [...text.matchAll(PASSAGE_END)].map(({ index }) => index);
  let last = 0;
  for (let start = nextNonBlank(text, 0); start < text.length;) {
    while (ends[last]! <= start) last++;
    start = Math.max(start, ends[last]! - LONGEST_PASSAGE + 1);
    while (last + 1 < ends.length && ends[last + 1]! < start + LONGEST_PASSAGE) last++;
    const end = ends[last]! + 1;
    yield text.slice(start, end);
    start = nextNonBlank(text, end);
  }
}

function nextNonBlank(text: string, from: number): number {
  let at = from;
  while (at < text.length && /\s/.test(text[at]!)) at++;
  return at;
}
