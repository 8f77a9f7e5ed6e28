import { EVENT_PREFIX } from '#domain/observation/observation.js';
import { listEventNames } from '#domain/properties/registry.js';
import type { IcpModel, ScoreRule } from './model.js';

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
];

/** Returns the canonical properties of the claims that a model reads. */
export function listRequiredProperties({ fit, pain, ability, intent }: IcpModel): string[] {
  const rules = [...fit, ...ability].filter((rule): rule is ScoreRule => 'property' in rule);
  const hints = pain.flatMap(({ match }) => ('property' in match ? [match.property] : []));
  return [
    ...new Set([...ALWAYS_REQUIRED, ...rules.map(rule => rule.property), ...hints, ...Object.keys(intent.states)]),
  ];
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
