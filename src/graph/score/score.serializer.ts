import { type Layer, type MissingFact, UNKNOWN_LAYER } from '#domain/score/layer.js';
import type { PresentedScore } from './score.presenter.js';

/** The JSON of a score around what is a lead's own: how it was asked for, the sentence about its Fit, and when. */
export interface JsonTemplate {
  readonly before: string;
  readonly between: string;
  readonly after: string;
}

/** How a lead was asked for. */
type SubjectFields = Pick<PresentedScore, 'source' | 'entity_id' | 'lead_id' | 'identifier' | 'ref'>;

/** The JSON of a score, put together by hand: a thousand of them are told in one call. */
export function serializeScore(shown: PresentedScore): string {
  const frame = toTemplate(shown);
  return serializePrefix(frame, shown, serializeTextOrNull(shown.icp.reason), shown.icp.scored_at) + frame.after;
}

/** The JSON of a score up to what stands behind its frame. @param sentence about its Fit, as JSON. @param at ISO 8601. */
export function serializePrefix(
  { before, between }: Pick<JsonTemplate, 'before' | 'between'>,
  own: SubjectFields,
  sentence: string,
  at: string,
): string {
  return `${before}${serializeSubject(own)}${between}${sentence},"scored_at":"${at}"`;
}

/** What the JSON of scores has in common that differ in nothing but whose they are. */
export function toTemplate(shown: PresentedScore): JsonTemplate {
  const { reason, icp, intent, layers, flags } = shown;
  // Joined, so that what is copied a thousand times is one piece and no tree of pieces.
  const before = [
    `{"resolved":${shown.resolved},"scored":${shown.scored},`,
    reason === undefined ? '' : `"reason":"${reason}",`,
  ].join('');
  const between = [
    `"persisted":${shown.persisted},"icp":{"score":${icp.score},"fit":${icp.fit},"tier":${quoteWord(icp.tier)}`,
    ',"reason":',
  ].join('');
  const after = [
    `},"intent":{"score":${intent.score},"band":${quoteWord(intent.band)}}`,
    `,"layers":{"fit":${serializeLayer(layers.fit)},"pain":${serializeLayer(layers.pain)}`,
    `,"intent":${serializeLayer(layers.intent)},"ability":${serializeLayer(layers.ability)}}`,
    `,"missing":${serializeMissing(shown.missing)},"play":"${shown.play}","play_rule":"${shown.play_rule}"`,
    `,"suppressed_by":${JSON.stringify(shown.suppressed_by)}`,
    `,"flags":${flags.length > 0 ? JSON.stringify(flags) : '[]'},"priority":${shown.priority}`,
    `,"priority_confidence":${shown.priority_confidence},"icp_model":${serializeTextOrNull(shown.icp_model)}}`,
  ].join('');
  return { before, between, after };
}

/** Each with a comma behind it. */
function serializeSubject({ source, entity_id, lead_id, identifier, ref }: SubjectFields): string {
  let text = '';
  if (source !== undefined) text += `"source":"${source}",`;
  if (entity_id !== undefined) text += `"entity_id":"${entity_id}",`;
  if (lead_id !== undefined) text += `"lead_id":"${lead_id}",`;
  if (identifier !== undefined) text += `"identifier":${JSON.stringify(identifier)},`;
  if (ref !== undefined) text += `"ref":${JSON.stringify(ref)},`;
  return text;
}

/** Of words that need no escaping. */
function quoteWord(word: string | null): string {
  return word === null ? 'null' : `"${word}"`;
}

function serializeTextOrNull(text: string | null): string {
  return text === null ? 'null' : JSON.stringify(text);
}

const UNKNOWN_LAYER_JSON = JSON.stringify(UNKNOWN_LAYER);

function serializeLayer(layer: Layer): string {
  if (layer === UNKNOWN_LAYER) return UNKNOWN_LAYER_JSON;
  const { status, score, coverage, trust, reasons } = layer;
  if (reasons.length > 0) return JSON.stringify(layer);
  return `{"status":"${status}","score":${score},"coverage":${coverage},"trust":${trust},"reasons":[]}`;
}

const missingJson = new WeakMap<readonly MissingFact[], string>();

function serializeMissing(missing: readonly MissingFact[]): string {
  let text = missingJson.get(missing);
  if (text === undefined) missingJson.set(missing, (text = JSON.stringify(missing)));
  return text;
}
