import { EMPLOYER_PROPERTY } from '../claims/doubt.js';
import { EVENT_PREFIX } from '../observation/observation.js';
import { listEventNames } from '../properties/registry.js';
import { type IcpModel, type ScoreRule, type LayerName, LAYERS } from './model.js';
import type { LayerEvaluation, MissingFact, SkippedRule } from './layer.js';

/** Properties that every model reads: those of the built-in rules and the hard flags. */
export const ALWAYS_REQUIRED: readonly string[] = [
  'title',
  'seniority',
  'budget',
  'timeline',
  'phone',
  'email',
  'linkedin_url',
  'email_status',
  'do_not_contact',
  'unsubscribed',
  'headline',
  'keywords',
  'pain',
  'pain_points',
  'description',
  'industry',
  'technologies',
  'lead_score',
  EMPLOYER_PROPERTY,
];

/** Returns the canonical properties of the claims that a model reads. */
export function listRequiredProperties({ fit, pain, ability, intent }: IcpModel): string[] {
  const rules = [...fit, ...ability].filter((rule): rule is ScoreRule => 'property' in rule);
  const read = rules.flatMap(rule => [rule, ...rule.and].map(({ property }) => property));
  const hints = pain.flatMap(({ match }) => ('property' in match ? [match.property] : []));
  return [...new Set([...ALWAYS_REQUIRED, ...read, ...hints, ...Object.keys(intent.states)])];
}

/**
 * Returns the events that a model reads: all names that the log may contain, and the text their details must contain.
 */
export function listRequiredEvents({ intent }: IcpModel): { properties: string[]; contains: (string | null)[] } {
  const wanted = Object.entries(intent.events)
    .filter(([, { weight }]) => weight !== 0)
    .flatMap(([type, { contains }]) =>
      listEventNames(EVENT_PREFIX + type).map(name => [name, contains ?? null] as const),
    );
  return { properties: wanted.map(([name]) => name), contains: wanted.map(([, contains]) => contains) };
}

/** Maximum number of missing facts returned. */
export const MAX_MISSING_FACTS = 50;

/** Maximum number of lists cached per model: leads of one list lack the same few facts. */
const MAX_CACHED_LISTS = 500;

const listCache = new WeakMap<IcpModel, Map<string, readonly MissingFact[]>>();

/**
 * Returns what to find out next: one entry per layer, property and subject, sorted by gain:
 * 100 * weight of the layer * weight of its rules / weight of all rules of the layer.
 * Ties keep the order of layers. Leads that lack the same facts share a list.
 */
export function listMissingFacts(
  model: IcpModel,
  work: Readonly<Record<LayerName, LayerEvaluation>>,
): readonly MissingFact[] {
  let lists = listCache.get(model);
  if (!lists) listCache.set(model, (lists = new Map()));
  const key = LAYERS.map(name => work[name].missingKeys).join('/');
  let missing = lists.get(key);
  if (!missing) {
    if (lists.size >= MAX_CACHED_LISTS) lists.clear();
    lists.set(key, (missing = buildWorklist(model, work)));
  }
  return missing;
}

function buildWorklist({ weights }: IcpModel, work: Readonly<Record<LayerName, LayerEvaluation>>): MissingFact[] {
  const all = LAYERS.flatMap(layer => listLayerMissing(layer, work[layer], weights[layer]));
  return all.toSorted((a, b) => b.gain - a.gain).slice(0, MAX_MISSING_FACTS);
}

function listLayerMissing(
  layer: LayerName,
  { evaluated, skipped }: LayerEvaluation,
  layerWeight: number,
): MissingFact[] {
  const all = [...evaluated, ...skipped].reduce((sum, { weight }) => sum + weight, 0);
  const byFact = Map.groupBy(skipped, ({ on, property }) => `${on} ${property}`);
  return [...byFact.values()].map(rules => {
    const weight = rules.reduce((sum, rule) => sum + rule.weight, 0);
    const gain = all > 0 ? Math.round((10_000 * layerWeight * weight) / all) / 100 : 0;
    const { property, on, reason } = rules[0]!;
    return { layer, property, on, gain, how: chooseResolution(rules[0]!), reason };
  });
}

const missingKeyLetters: Readonly<Record<SkippedRule['reason'], Readonly<Record<SkippedRule['source'], string>>>> = {
  absent: { enrich: 'a', research: 'b', ask: 'c' },
  expired: { enrich: 'd', research: 'e', ask: 'f' },
  contested: { enrich: 'g', research: 'h', ask: 'i' },
  low_confidence: { enrich: 'j', research: 'k', ask: 'l' },
};

/**
 * Returns one letter for why a rule was skipped, `-` for an evaluated one; `LayerEvaluation.missingKeys` consists of
 * these.
 */
export function missingKey(skippedRule: Pick<SkippedRule, 'reason' | 'source'> | undefined): string {
  return skippedRule ? missingKeyLetters[skippedRule.reason][skippedRule.source] : '-';
}

/** A known fact that is not good enough is verified; an unknown one is looked up at its source. */
function chooseResolution({ reason, source }: SkippedRule): MissingFact['how'] {
  return reason === 'absent' ? source : 'verify';
}
