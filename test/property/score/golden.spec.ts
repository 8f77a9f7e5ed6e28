import type { JsonValue } from '#domain/observation/observation.js';
import { DEFAULT_WEIGHTS, type LayerName } from '#domain/score/model.js';
import { decidePlay } from '#domain/score/play.js';
import { parseModel } from '#domain/score/parse-model.js';
import { computePriority, scoreLead } from '#domain/score/score-lead.js';
import { type EventVector, evidenceWith, type FactVector, NOW } from '../../support/graph/score-evidence.js';
import { vectorsOf } from '../../support/vectors.js';

type Known = readonly [score: number, coverage: number] | null;
type PriorityVector = Record<LayerName, Known> & { why: string; priority: number | null; confidence: number };
type PlayVector = Record<LayerName, number | null> & {
  why: string;
  coverage: number;
  flagged: boolean;
  precise: boolean;
  reachable: boolean;
  play: string;
  rule: string;
};
interface LayerVector {
  why: string;
  layer: LayerName;
  rules?: JsonValue[];
  facts?: FactVector[];
  events?: EventVector[];
  score: number | null;
  coverage: number;
  points: Record<string, number>;
}

const unknown = { score: null, coverage: 0 };
const knownOf = (known: Known) => (known ? { score: known[0], coverage: known[1] } : unknown);

it.each(vectorsOf<PlayVector>('score/plays'))('$rule: $why', vector => {
  const { fit, pain, intent, ability, coverage, flagged, precise, reachable } = vector;
  const at = (score: number | null, coverage = 1) => ({ score, coverage });
  const layers = { fit: at(fit, coverage), pain: at(pain), intent: at(intent), ability: at(ability) };
  expect(decidePlay({ layers, flagged, precise, reachable })).toEqual({ play: vector.play, play_rule: vector.rule });
});

it.each(vectorsOf<LayerVector>('score/layers'))(
  '$layer: $why',
  ({ layer, rules, facts = [], events = [], ...wanted }) => {
    const read = parseModel(rules ? { [layer]: rules } : {}, 1);
    if (!read.ok) throw new Error(JSON.stringify(read.problems));
    const { score, coverage, reasons } = scoreLead(read.model, evidenceWith(facts, events), NOW).layers[layer];
    const points: Record<string, number> = {};
    for (const reason of reasons) points[reason.rule] = (points[reason.rule] ?? 0) + reason.points;
    expect({ score, coverage, points }).toEqual({
      score: wanted.score,
      coverage: wanted.coverage,
      points: wanted.points,
    });
  },
);

it.each(vectorsOf<PriorityVector>('score/priority'))('priority: $why', ({ fit, pain, intent, ability, ...wanted }) => {
  const layers = { fit: knownOf(fit), pain: knownOf(pain), intent: knownOf(intent), ability: knownOf(ability) };
  expect(computePriority(DEFAULT_WEIGHTS, layers)).toEqual({
    priority: wanted.priority,
    priority_confidence: wanted.confidence,
  });
});
