import { isNoteEntry } from '#domain/facts/note-entries.js';
import type { JsonValue } from '#domain/observation/observation.js';
import { toPlainText, toOneLine, quoteText } from '#domain/observation/summary.js';
import { isModelContent } from '#domain/score/parse-model.js';
import { DAY_US, type Instant, toIso } from '#domain/time/instant.js';
import { computeEventFreshness, describeEvent, type LoggedEvent } from './key-activity.js';
import type { ContextCandidate } from './context-candidate.js';

/** A note with its best matching passage. */
export interface NotePassage {
  readonly id: string;
  readonly entity_id: string;
  readonly type: string;
  readonly title: string;
  /** YYYY-MM-DD. */
  readonly date: string;
  /** Origin of the note. */
  readonly source: string;
  readonly snippet: string;
}

/** A passage of the workspace's own facts. */
export interface WorkspacePassage {
  readonly refId: string;
  readonly section: string;
  readonly value: string;
}

/** Confidence of logged events, notes and workspace facts. */
const LOGGED_CONFIDENCE = 0.9;

/** Half-life of notes in days. */
const NOTE_HALF_LIFE_DAYS = 180;

const MAX_SOURCE_LENGTH = 40;
const MAX_PASSAGE_LENGTH = 280;
const MAX_PASSAGES = 20;
/** Possible ends of a passage: white space, the end of a sentence, or of the text. */
const PASSAGE_END = /\s|[.!?](?=\s)|$/g;

/** Returns an event as a candidate, with its day and source, and its text quoted. */
export function toEventCandidate(event: LoggedEvent, now: Instant): ContextCandidate {
  return {
    kind: 'event',
    refId: event.id,
    label: `${toIso(event.happens_at).slice(0, 10)} | ${formatSourceLabel(event.source)}`,
    text: describeEvent(event),
    freshness: computeEventFreshness(event.happens_at, now),
    confidence: LOGGED_CONFIDENCE,
    past: false,
    boosted: false,
  };
}

/** Returns a note as a candidate, with its day and source, and its text quoted. */
export function toNoteCandidate(
  { id, type, title, date, source, snippet }: NotePassage,
  now: Instant,
): ContextCandidate {
  const age = Math.max(0, now - Date.parse(date) * 1000);
  return {
    kind: 'note',
    refId: id,
    label: `${type} | ${date} | ${formatSourceLabel(source)}`,
    text: quoteText(`${title}: ${snippet}`, 320),
    freshness: 2 ** (-age / (NOTE_HALF_LIFE_DAYS * DAY_US)),
    confidence: LOGGED_CONFIDENCE,
    past: false,
    boosted: false,
  };
}

/** Sources are arbitrary text; brackets and quotes in them must not break the label. */
function formatSourceLabel(source: string): string {
  return toOneLine(source.replaceAll(/[[\]|"]/g, ' '), MAX_SOURCE_LENGTH);
}

/** Returns a passage of the workspace's facts as a candidate. */
export function toWorkspaceCandidate({ refId, section, value }: WorkspacePassage): ContextCandidate {
  return {
    kind: 'workspace_fact',
    refId,
    label: section,
    text: value,
    words: section.replaceAll('_', ' '),
    freshness: 1,
    confidence: LOGGED_CONFIDENCE,
    past: false,
    boosted: false,
  };
}

/**
 * Splits a section into passages: paragraphs of a text, entries of an object or of notes. At most twenty, of at most
 * 280 characters. A scoring model has none, because it is not prose.
 */
export function splitSectionPassages(section: string, content: JsonValue): WorkspacePassage[] {
  if (isModelContent(content)) return [];
  return splitContent(content)
    .slice(0, MAX_PASSAGES)
    .map((value, i) => ({ refId: `workspace:${section}#${i + 1}`, section, value }));
}

function splitContent(content: JsonValue): string[] {
  if (typeof content === 'string') return [...cutPassages(content).take(MAX_PASSAGES)].map(text => toOneLine(text));
  if (Array.isArray(content))
    return content.map(entry => toPlainText(isNoteEntry(entry) ? entry.content : entry, MAX_PASSAGE_LENGTH));
  if (content === null || typeof content !== 'object') return [toPlainText(content)];
  return Object.entries(content).map(([key, value]) => toOneLine(`${key}: ${toPlainText(value)}`, MAX_PASSAGE_LENGTH));
}

/**
 * Cuts a text into passages of at most {@link MAX_PASSAGE_LENGTH} characters, each as long as possible. Of a longer run
 * without white space only the end becomes a passage. Takes linear time.
 */
function* cutPassages(text: string): Generator<string> {
  const ends = [...text.matchAll(PASSAGE_END)].map(({ index }) => index);
  let last = 0;
  for (let start = nextNonBlank(text, 0); start < text.length;) {
    while (ends[last]! <= start) last++;
    start = Math.max(start, ends[last]! - MAX_PASSAGE_LENGTH + 1);
    while (last + 1 < ends.length && ends[last + 1]! < start + MAX_PASSAGE_LENGTH) last++;
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
