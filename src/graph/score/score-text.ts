import { type Layer, type Missing, UNKNOWN } from '#domain/score/layer.js';
import type { ShownScore } from './shown-score.js';

/** The JSON of a score around what is a lead's own: how it was asked for, the sentence about its Fit, and when. */
export interface Frame {
  readonly before: string;
  readonly between: string;
  readonly after: string;
}

/** How a lead was asked for. */
type Own = Pick<ShownScore, 'source' | 'entity_id' | 'lead_id' | 'identifier' | 'ref'>;

/** The JSON of a score, put together by hand: a thousand of them are told in one call. */
export function textOf(shown: ShownScore): string {
  const frame = frameOf(shown);
  return beginning(frame, shown, textOrNull(shown.icp.reason), shown.icp.scored_at) + frame.after;
}

/** The JSON of a score up to what stands behind its frame. @param sentence about its Fit, as JSON. @param at ISO 8601. */
export function beginning(
  { before, between }: Pick<Frame, 'before' | 'between'>,
  own: Own,
  sentence: string,
  at: string,
): string {
  return `${before}${textOfOwn(own)}${between}${sentence},"scored_at":"${at}"`;
}

/** What the JSON of scores has in common that differ in nothing but whose they are. */
export function frameOf(shown: ShownScore): Frame {
  const { reason, icp, intent, layers, flags } = shown;
  // Joined, so that what is copied a thousand times is one piece and no tree of pieces.
  const before = [
    `{"resolved":${shown.resolved},"scored":${shown.scored},`,
    reason === undefined ? '' : `"reason":"${reason}",`,
  ].join('');
  const between = [
    `"persisted":${shown.persisted},"icp":{"score":${icp.score},"fit":${icp.fit},"tier":${wordOf(icp.tier)}`,
    ',"reason":',
  ].join('');
  const after = [
    `},"intent":{"score":${intent.score},"band":${wordOf(intent.band)}}`,
    `,"layers":{"fit":${textOfLayer(layers.fit)},"pain":${textOfLayer(layers.pain)}`,
    `,"intent":${textOfLayer(layers.intent)},"ability":${textOfLayer(layers.ability)}}`,
    `,"missing":${textOfMissing(shown.missing)},"play":"${shown.play}","play_rule":"${shown.play_rule}"`,
    `,"suppressed_by":${JSON.stringify(shown.suppressed_by)}`,
    `,"flags":${flags.length > 0 ? JSON.stringify(flags) : '[]'},"priority":${shown.priority}`,
    `,"priority_confidence":${shown.priority_confidence},"icp_model":${textOrNull(shown.icp_model)}}`,
  ].join('');
  return { before, between, after };
}

/** Each with a comma behind it. */
function textOfOwn({ source, entity_id, lead_id, identifier, ref }: Own): string {
  let text = '';
  if (source !== undefined) text += `"source":"${source}",`;
  if (entity_id !== undefined) text += `"entity_id":"${entity_id}",`;
  if (lead_id !== undefined) text += `"lead_id":"${lead_id}",`;
  if (identifier !== undefined) text += `"identifier":${JSON.stringify(identifier)},`;
  if (ref !== undefined) text += `"ref":${JSON.stringify(ref)},`;
  return text;
}

/** Of words that need no escaping. */
function wordOf(word: string | null): string {
  return word === null ? 'null' : `"${word}"`;
}

function textOrNull(text: string | null): string {
  return text === null ? 'null' : JSON.stringify(text);
}

const textOfUnknown = JSON.stringify(UNKNOWN);

function textOfLayer(layer: Layer): string {
  if (layer === UNKNOWN) return textOfUnknown;
  const { status, score, coverage, trust, reasons } = layer;
  if (reasons.length > 0) return JSON.stringify(layer);
  return `{"status":"${status}","score":${score},"coverage":${coverage},"trust":${trust},"reasons":[]}`;
}

const known = new WeakMap<readonly Missing[], string>();

function textOfMissing(missing: readonly Missing[]): string {
  let text = known.get(missing);
  if (text === undefined) known.set(missing, (text = JSON.stringify(missing)));
  return text;
}
