import { inlineEvidence } from '#domain/score/inline.js';
import type { ListScorer } from '#domain/score/list-scorer.js';
import { type LeadScore, scoreLead } from '#domain/score/score-lead.js';
import { type Instant, toIso } from '#domain/time/instant.js';
import { JsonText, TextWriter } from '#kernel/idempotency/json-text.js';
import type { InlineLead } from './inline-request.js';
import type { ScoreSettings } from './score-settings.js';
import { beginning, type Frame, frameOf, textOf } from './score-text.js';
import { showScore, type ShownScore } from './shown-score.js';

/** What the score of a lead takes as a rule. */
const USUAL_BYTES = 1500;

const NOTHING_OWN = { source: 'inline' } as const;

/** The score of a lead that the caller described. */
export function scoreInline(
  { ref, attributes }: InlineLead,
  { model, own }: ScoreSettings,
  at: Instant,
  explain: boolean,
): ShownScore {
  const evidence = inlineEvidence(attributes, own, at);
  const score = scoreLead(model, evidence, at, explain);
  return showScore(score, whoseIs(ref), toIso(at), explain, evidence.person.size === 0);
}

/** The scores of a list of such leads, as the JSON that is answered: what they have in common is written once. */
export class ListText {
  private readonly text: TextWriter;
  private readonly iso: string;
  private begun = false;

  constructor(
    private readonly settings: ScoreSettings,
    private readonly scorer: ListScorer,
    private readonly at: Instant,
    private readonly explain: boolean,
    leads: number,
  ) {
    this.text = new TextWriter(leads * USUAL_BYTES);
    this.iso = toIso(at);
    this.text.write('{"results":[');
  }

  /** Scores one more lead. */
  add(lead: InlineLead): void {
    const { settings, at, explain, text } = this;
    const listed = explain ? undefined : this.scorer.score(lead.attributes, settings.own, at);
    const parted = this.begun ? ',' : '';
    this.begun = true;
    if (!listed) return text.write(parted + textOf(scoreInline(lead, settings, at, explain)));
    const frame = frameOfAny(listed.score);
    text.write(parted + beginning(frame, whoseIs(lead.ref), listed.sentence, this.iso));
    text.append(frame.after);
  }

  /** The whole answer. */
  end(): JsonText {
    this.text.write('],"persisted":false}');
    return new JsonText(this.text.bytes());
  }
}

/** A frame, its end as it is sent. */
type SentFrame = Pick<Frame, 'before' | 'between'> & { readonly after: Uint8Array };

const frames = new WeakMap<LeadScore, SentFrame>();

/** The frame of a score that several leads have; made once for as long as the score lives. */
function frameOfAny(score: LeadScore): SentFrame {
  let frame = frames.get(score);
  if (!frame) {
    const { before, between, after } = frameOf(showScore(score, NOTHING_OWN, '', false));
    frames.set(score, (frame = { before, between, after: Buffer.from(after) }));
  }
  return frame;
}

function whoseIs(ref: InlineLead['ref']): Pick<ShownScore, 'source' | 'ref'> {
  return ref === null ? NOTHING_OWN : { source: 'inline', ref };
}
