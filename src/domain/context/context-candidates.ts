import type { Claim } from '../claims/claim.js';
import { SAFE_CONFIDENCE } from '../claims/safe-to-use.js';
import type { JsonValue } from '../observation/observation.js';
import { toPlainText, toOneLine, quoteText } from '../observation/summary.js';
import { isNoteEntry } from '../facts/fact.js';
import { isModelContent } from '../score/parse-model.js';
import { DAY_US, type Instant, toIso } from '../time/instant.js';
import { computeEventFreshness, describeEvent, type LoggedEvent } from './key-activity.js';

/** Kinds of context items. */
export const CONTEXT_KINDS = ['claim', 'event', 'note', 'workspace_fact'] as const;

/** One of {@link CONTEXT_KINDS}. */
export type ContextKind = (typeof CONTEXT_KINDS)[number];

/** An item that may be included in a context. */
export interface ContextCandidate {
  readonly kind: ContextKind;
  /** Unique reference; also breaks ties. */
  readonly refId: string;
  /** Text of its label: `title | 0.91 fresh corroborated`. */
  readonly label: string;
  /** Content on one line. */
  readonly text: string;
  /** Words by which it is found besides its text. */
  readonly words?: string;
  /** Words and concepts, if already computed. */
  readonly tokens?: readonly string[];
  /** 0..1: probability that it still holds. */
  readonly freshness: number;
  /** 0..1. */
  readonly confidence: number;
  /** Whether it has ended or was replaced. */
  readonly past: boolean;
  /** Whether the intent asks for it. */
  readonly boosted: boolean;
  /** Why it should not be relied on as it is. */
  readonly caution?: string;
}

/** Numbers that explain a rank. */
export interface RankScore {
  /** Similarity to the task, 0..1. */
  readonly relevance: number;
  /** Overall score, 0..1, four decimals. */
  readonly score: number;
}

/** A claim of the entity that the context is about, or of its company. */
export interface OwnedClaim extends Claim {
  readonly entity_id: string;
  readonly of: 'self' | 'company';
}

/** Covered by the identity line, or of no use as text. */
const EXCLUDED_PROPERTIES = new Set(['name', 'first_name', 'last_name', 'lead_score']);

/** Opt-outs and unusable addresses, which are always included. */
const OPT_OUT_PROPERTIES: ReadonlySet<string> = new Set(['do_not_contact', 'unsubscribed']);
const UNUSABLE_EMAIL_STATUSES: ReadonlySet<JsonValue> = new Set(['bounced', 'unsubscribed', 'invalid']);

/** Returns the stable reference of a claim, which does not change with its value. */
export function formatClaimRef({ entity_id, property }: Pick<OwnedClaim, 'entity_id' | 'property'>): string {
  return `${entity_id}:${property}`;
}

/**
 * Returns the claims that are included whatever the task and budget: opt-outs first, then contested claims with both
 * values.
 */
export function selectPinnedCandidates(claims: readonly OwnedClaim[]): ContextCandidate[] {
  const inOrder = claims.toSorted((a, b) => (formatClaimRef(a) < formatClaimRef(b) ? -1 : 1));
  const barring = inOrder.filter(isOptOut);
  const contested = inOrder.filter(
    claim => isIncluded(claim) && claim.epistemic_class === 'contested' && !isOptOut(claim),
  );
  return [
    ...barring.map(claim => ({ ...toClaimCandidate(claim, false, 40), caution: 'do not contact' })),
    ...contested.map(claim => toClaimCandidate(claim, false, 80)),
  ];
}

/**
 * Returns the claims that may be included.
 * @param boosted properties that the intent asks for; those of the company have the prefix `company.`.
 */
export function toClaimCandidates(
  claims: readonly OwnedClaim[],
  boosted: ReadonlySet<string>,
  minConfidence: number,
): ContextCandidate[] {
  return claims
    .filter(claim => isIncluded(claim) && claim.confidence >= minConfidence)
    .map(claim => toClaimCandidate(claim, boosted.has(formatPropertyName(claim)) || boosted.has(claim.property), 240));
}

/** Describes the value of a claim on one line. */
export function describeClaim({ property, value }: Pick<Claim, 'property' | 'value'>, longest = 240): string {
  if (property.startsWith('signal.') && value !== null && typeof value === 'object' && !Array.isArray(value)) {
    const parts = [value['detected'], value['implies'], value['angle']].filter(part => typeof part === 'string');
    if (parts.length > 0) return toPlainText(parts.join('; '), longest);
  }
  return toPlainText(value, longest);
}

function toClaimCandidate(claim: OwnedClaim, boosted: boolean, longest: number): ContextCandidate {
  const caution = findCaution(claim);
  return {
    kind: 'claim',
    refId: formatClaimRef(claim),
    label: `${formatPropertyName(claim)} | ${claim.confidence.toFixed(2)} ${claim.freshness} ${claim.epistemic_class}`,
    text: describeClaim(claim, longest),
    words: formatPropertyName(claim).replaceAll(/[._]/g, ' '),
    freshness: claim.freshness_score,
    confidence: claim.confidence,
    past: claim.status === 'ended',
    boosted,
    ...(caution && { caution }),
  };
}

function findCaution({
  status,
  epistemic_class,
  opposing,
  freshness,
  freshness_reason,
  confidence,
}: Claim): string | undefined {
  if (epistemic_class === 'contested' && opposing[0])
    return `contested: ${toPlainText(opposing[0].source, 30)} says ${toPlainText(opposing[0].value, 60)}`;
  if (status === 'ended') return 'ended';
  if (freshness_reason !== undefined) return 'of an earlier job: verify before use';
  if (freshness === 'suspect' || freshness === 'expired') return 'old: verify before use';
  if (epistemic_class === 'inferred') return 'inferred: verify before use';
  return confidence > SAFE_CONFIDENCE ? undefined : 'unsure: verify before use';
}

function isOptOut({ property, value, status }: Claim): boolean {
  if (status === 'ended') return false;
  return OPT_OUT_PROPERTIES.has(property)
    ? value === true || value === 'true'
    : property === 'email_status' && UNUSABLE_EMAIL_STATUSES.has(value);
}

function isIncluded({ property }: Claim): boolean {
  return !EXCLUDED_PROPERTIES.has(property);
}

function formatPropertyName({ property, of }: OwnedClaim): string {
  return of === 'company' ? `company.${property}` : property;
}

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
