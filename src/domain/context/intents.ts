/** What context is asked for. */
export const INTENTS = ['account_review', 'draft_email', 'follow_up', 'meeting_prep', 'call_prep'] as const;

/** One of {@link INTENTS}. */
export type Intent = (typeof INTENTS)[number];

/** What an intent presets. */
export interface IntentPreset {
  /** Tokens, unless the caller says otherwise. */
  readonly budget: number;
  /** Properties that matter most, by their canonical names; `company.` marks those of the company. */
  readonly boosted: ReadonlySet<string>;
  /** Whether the people of the company belong to the picture. */
  readonly people: boolean;
  /** Things that happened that an account names as its key activity. */
  readonly activity: number;
}

/** Fewest and most tokens of a budget. */
export const MIN_BUDGET_TOKENS = 200;
export const MAX_BUDGET_TOKENS = 16_000;

const toPreset = (budget: number, activity: number, people: boolean, boosted: string): IntentPreset => ({
  budget,
  boosted: new Set(boosted.split(' ')),
  people,
  activity,
});

/** The presets. Versioned with the product, not with a workspace. */
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

/** Things that happened that an account names when no intent is given. */
export const DEFAULT_KEY_ACTIVITY_COUNT = 18;

/** Whether a text is an intent. */
export function isIntent(text: string): text is Intent {
  return INTENTS.some(intent => intent === text);
}
