import { buildInlineEvidence } from '#domain/score/inline-evidence.js';
import type { ListScorer } from '#domain/score/list-scorer.js';
import { type LeadScore, scoreLead } from '#domain/score/score-lead.js';
import { type Instant, toIso } from '#domain/time/instant.js';
import { JsonText, Utf8Writer } from '#kernel/http/json-text.js';
import type { InlineLead } from './inline-request.js';
import type { ScoreSettings } from './score-settings.service.js';
import { serializePrefix, type JsonTemplate, toTemplate, serializeScore } from './score.serializer.js';
import { presentScore, type PresentedScore } from './score.presenter.js';

/** What the score of a lead takes as a rule. */
const ESTIMATED_SCORE_BYTES = 1500;

const INLINE_REF = { source: 'inline' } as const;

/** The score of a lead that the caller described. */
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

/** The scores of a list of such leads, as the JSON that is answered: what they have in common is written once. */
export class ScoreListSerializer {
  private readonly writer: Utf8Writer;
  private readonly iso: string;
  private hasItems = false;

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

  /** Scores one more lead. */
  add(lead: InlineLead): void {
    const { settings, at, explain, writer } = this;
    const listed = explain ? undefined : this.scorer.score(lead.attributes, settings.own, at);
    const parted = this.hasItems ? ',' : '';
    this.hasItems = true;
    if (!listed) return writer.write(parted + serializeScore(scoreInline(lead, settings, at, explain)));
    const frame = cachedTemplate(listed.score);
    writer.write(parted + serializePrefix(frame, toSubjectRef(lead.ref), listed.sentence, this.iso));
    writer.append(frame.after);
  }

  /** The whole answer. */
  end(): JsonText {
    this.writer.write('],"persisted":false}');
    return new JsonText(this.writer.bytes());
  }
}

/** A frame, its end as it is sent. */
type EncodedTemplate = Pick<JsonTemplate, 'before' | 'between'> & { readonly after: Uint8Array };

const templates = new WeakMap<LeadScore, EncodedTemplate>();

/** The frame of a score that several leads have; made once for as long as the score lives. */
function cachedTemplate(score: LeadScore): EncodedTemplate {
  let frame = templates.get(score);
  if (!frame) {
    const { before, between, after } = toTemplate(presentScore(score, INLINE_REF, '', false));
    templates.set(score, (frame = { before, between, after: Buffer.from(after) }));
  }
  return frame;
}

function toSubjectRef(ref: InlineLead['ref']): Pick<PresentedScore, 'source' | 'ref'> {
  return ref === null ? INLINE_REF : { source: 'inline', ref };
}
