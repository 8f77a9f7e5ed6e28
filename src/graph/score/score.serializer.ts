import { type Layer, UNKNOWN_LAYER } from '#domain/score/layer.js';
import { buildInlineEvidence } from '#domain/score/evidence.js';
import type { ListScorer } from '#domain/score/list-scorer.js';
import { type LeadScore, scoreLead } from '#domain/score/score-lead.js';
import { type Instant, toIso } from '#domain/time/instant.js';
import { JsonText, Utf8Writer } from '#kernel/http/json-parser.js';
import { type PresentedScore, presentScore } from './score.presenter.js';
import type { InlineLead } from './score-request.js';
import type { ScoreSettings } from './score-settings.service.js';

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

/** Estimated size of a score as JSON, for the initial buffer. */
const ESTIMATED_SCORE_BYTES = 1500;

const INLINE_REF = { source: 'inline' } as const;

/** Scores a lead that the caller described. */
export function scoreInline(
  { ref, attributes }: InlineLead,
  { model, own }: ScoreSettings,
  at: Instant,
  explain: boolean,
): PresentedScore {
  const evidence = buildInlineEvidence(attributes, own, at);
  const score = scoreLead(model, evidence, at, explain);
  return presentScore(score, toSubjectRef(ref), toIso(at), explain, evidence.person.size === 0);
}

/** Serializes the scores of a list of described leads to JSON. The parts that leads share are serialized once. */
export class ScoreListSerializer {
  private readonly writer: Utf8Writer;
  private readonly iso: string;
  private hasItems = false;
  /** Templates of this list's scores; leads with the same findings share one score object. */
  private readonly templates = new Map<LeadScore, EncodedTemplate>();

  constructor(
    private readonly settings: ScoreSettings,
    private readonly scorer: ListScorer,
    private readonly at: Instant,
    private readonly explain: boolean,
    leads: number,
  ) {
    this.writer = new Utf8Writer(leads * ESTIMATED_SCORE_BYTES);
    this.iso = toIso(at);
    this.writer.write('{"results":[');
  }

  /** Scores a lead and appends it to the JSON. */
  add(lead: InlineLead): void {
    const { settings, at, explain, writer } = this;
    const listed = explain ? undefined : this.scorer.score(lead.attributes, settings.own, at);
    const separator = this.hasItems ? ',' : '';
    this.hasItems = true;
    if (!listed) return writer.write(separator + serializeScore(scoreInline(lead, settings, at, explain)));
    const template = this.getTemplate(listed.score);
    writer.write(separator + serializePrefix(template, toSubjectRef(lead.ref), listed.sentence, this.iso));
    writer.append(template.after);
  }

  /** Ends the list and returns the whole response. */
  end(): JsonText {
    this.writer.write('],"persisted":false}');
    return new JsonText(this.writer.bytes());
  }

  private getTemplate(score: LeadScore): EncodedTemplate {
    let template = this.templates.get(score);
    if (!template) {
      const { before, between, after } = toTemplate(presentScore(score, INLINE_REF, '', false));
      this.templates.set(score, (template = { before, between, after: Buffer.from(after) }));
    }
    return template;
  }
}

/** A template whose end is encoded as UTF-8. */
type EncodedTemplate = Pick<JsonTemplate, 'before' | 'between'> & { readonly after: Uint8Array };

function toSubjectRef(ref: InlineLead['ref']): Pick<PresentedScore, 'source' | 'ref'> {
  return ref === null ? INLINE_REF : { source: 'inline', ref };
}
