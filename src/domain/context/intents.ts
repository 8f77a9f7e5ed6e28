/** Purposes for which context is requested. */
export const INTENTS = ['account_review', 'draft_email', 'follow_up', 'meeting_prep', 'call_prep'] as const;

/** One of {@link INTENTS}. */
export type Intent = (typeof INTENTS)[number];

/** Presets of an intent. */
export interface IntentPreset {
  /** Default token budget. */
  readonly budget: number;
  /** Most relevant properties, by canonical name; those of the company have the prefix `company.`. */
  readonly boosted: ReadonlySet<string>;
  /** Whether to include the people of the company. */
  readonly people: boolean;
  /** Number of key activities. */
  readonly activity: number;
}

/** Bounds of the token budget. */
export const MIN_BUDGET_TOKENS = 200;
export const MAX_BUDGET_TOKENS = 16_000;

const toPreset = (budget: number, activity: number, people: boolean, boosted: string): IntentPreset => ({
  budget,
  boosted: new Set(boosted.split(' ')),
  people,
  activity,
});

/** The presets of all intents. They change with releases, not per workspace. */
export const PRESETS: Readonly<Record<Intent, IntentPreset>> = {
  account_review: toPreset(
    2000,
    24,
    true,
    'stage title company intent budget timeline owner competitors company.industry',
  ),
  draft_email: toPreset(
    1200,
    8,
    false,
    'title company pain pain_points intent competitors technologies company.industry',
  ),
  follow_up: toPreset(1500, 14, false, 'stage intent timeline budget pain pain_points owner next_step'),
  meeting_prep: toPreset(
    1800,
    20,
    true,
    'title stage pain pain_points budget timeline competitors technologies company.industry',
  ),
  call_prep: toPreset(1800, 20, true, 'title phone stage pain pain_points intent budget timeline location'),
};

/** Number of key activities if no intent is given. */
export const DEFAULT_KEY_ACTIVITY_COUNT = 18;

/** Returns whether a text is an intent. */
export function isIntent(text: string): text is Intent {
  return INTENTS.some(intent => intent === text);
}
