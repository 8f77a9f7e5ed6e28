import { type Layer, type Missing, UNKNOWN } from '#domain/score/layer.js';
import type { ShownScore } from './shown-score.js';

/** The JSON of a score, put together by hand: a thousand of them are told in one call. What they share is written once. */
export function textOf(shown: ShownScore): string {
  const { icp, intent, layers, flags } = shown;
  const told =
    `{"resolved":${shown.resolved},"scored":${shown.scored},${whoseIn(shown)}"persisted":${shown.persisted}` +
    `,"icp":{"score":${icp.score},"fit":${icp.fit},"tier":${wordOf(icp.tier)},"reason":${textOrNull(icp.reason)}` +
    `,"scored_at":"${icp.scored_at}"},"intent":{"score":${intent.score},"band":${wordOf(intent.band)}}` +
    `,"layers":{"fit":${textOfLayer(layers.fit)},"pain":${textOfLayer(layers.pain)}` +
    `,"intent":${textOfLayer(layers.intent)},"ability":${textOfLayer(layers.ability)}}`;
  return (
    `${told},"missing":${textOfMissing(shown.missing)},"play":"${shown.play}","play_rule":"${shown.play_rule}"` +
    `,"flags":${flags.length > 0 ? JSON.stringify(flags) : '[]'},"priority":${shown.priority}` +
    `,"priority_confidence":${shown.priority_confidence},"icp_model":${textOrNull(shown.icp_model)}}`
  );
}

/** Why there is no whole score, and whose it is; each with a comma behind it. */
function whoseIn({ reason, source, entity_id, lead_id, identifier, ref }: ShownScore): string {
  let text = '';
  if (reason !== undefined) text += `"reason":"${reason}",`;
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
