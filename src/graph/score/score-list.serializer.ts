import { buildInlineEvidence } from '#domain/score/inline-evidence.js';
import type { ListScorer } from '#domain/score/list-scorer.js';
import { type LeadScore, scoreLead } from '#domain/score/score-lead.js';
import { type Instant, toIso } from '#domain/time/instant.js';
import { JsonText, Utf8Writer } from '#kernel/http/json-text.js';
import type { InlineLead } from './inline-request.js';
import type { ScoreSettings } from './score-settings.service.js';
import { serializePrefix, type JsonTemplate, toTemplate, serializeScore } from './score.serializer.js';
import { presentScore, type PresentedScore } from './score.presenter.js';

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
