import { type Layer, UNKNOWN_LAYER } from '#domain/score/layer.js';
import type { PresentedScore } from './score.presenter.js';

/** The JSON of a score without the parts of a single lead: its reference, the sentence about its Fit, and the time. */
export interface JsonTemplate {
  readonly before: string;
  readonly between: string;
  readonly after: string;
}

/** The fields that identify the scored lead. */
type SubjectFields = Pick<PresentedScore, 'source' | 'entity_id' | 'lead_id' | 'identifier' | 'ref'>;

/** Serializes a score to JSON. Faster than `JSON.stringify`, because a call returns up to a thousand scores. */
export function serializeScore(score: PresentedScore): string {
  const template = toTemplate(score);
  return serializePrefix(template, score, serializeTextOrNull(score.icp.reason), score.icp.scored_at) + template.after;
}

/**
 * Serializes a score up to the end part of its template.
 * @param subject fields that identify the lead.
 * @param sentence about its Fit, as JSON.
 * @param at ISO 8601.
 */
export function serializePrefix(
  { before, between }: Pick<JsonTemplate, 'before' | 'between'>,
  subject: SubjectFields,
  sentence: string,
  at: string,
): string {
  return `${before}${serializeSubject(subject)}${between}${sentence},"scored_at":"${at}"`;
}

/** Serializes the parts of a score that are the same for all leads with that score. */
export function toTemplate(score: PresentedScore): JsonTemplate {
  const { reason, icp, intent, layers, flags } = score;
  // Joined into flat strings: concatenation would build a tree, which is slow to copy a thousand times.
  const before = [
    `{"resolved":${score.resolved},"scored":${score.scored},`,
    reason === undefined ? '' : `"reason":"${reason}",`,
  ].join('');
  const between = [
    `"persisted":${score.persisted},"icp":{"score":${icp.score},"fit":${icp.fit},"tier":${quoteWord(icp.tier)}`,
    ',"reason":',
  ].join('');
  const after = [
    `},"intent":{"score":${intent.score},"band":${quoteWord(intent.band)}}`,
    `,"layers":{"fit":${serializeLayer(layers.fit)},"pain":${serializeLayer(layers.pain)}`,
    `,"intent":${serializeLayer(layers.intent)},"ability":${serializeLayer(layers.ability)}}`,
    `,"missing":${JSON.stringify(score.missing)},"play":"${score.play}","play_rule":"${score.play_rule}"`,
    `,"suppressed_by":${JSON.stringify(score.suppressed_by)}`,
    `,"flags":${flags.length > 0 ? JSON.stringify(flags) : '[]'},"priority":${score.priority}`,
    `,"priority_confidence":${score.priority_confidence},"icp_model":${serializeTextOrNull(score.icp_model)}}`,
  ].join('');
  return { before, between, after };
}

/** Serializes the fields that identify a lead, each followed by a comma. */
function serializeSubject({ source, entity_id, lead_id, identifier, ref }: SubjectFields): string {
  let text = '';
  if (source !== undefined) text += `"source":"${source}",`;
  if (entity_id !== undefined) text += `"entity_id":"${entity_id}",`;
  if (lead_id !== undefined) text += `"lead_id":"${lead_id}",`;
  if (identifier !== undefined) text += `"identifier":${JSON.stringify(identifier)},`;
  if (ref !== undefined) text += `"ref":${JSON.stringify(ref)},`;
  return text;
}

/** Quotes a word that needs no escaping. */
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
