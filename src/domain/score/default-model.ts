import { DEFAULT_SCALE } from './bands.js';
import type { BuiltInRule, IcpModel, IntentModel, PainRule } from './model.js';

/** Default weights of the layers. */
export const DEFAULT_WEIGHTS = { fit: 0.35, pain: 0.2, intent: 0.3, ability: 0.15 } as const;

/** Default half-life of an intent signal, in days. */
export const DEFAULT_HALF_LIFE_DAYS = 30;

/** Default intent signals. Opened mail has weight 0, because mail programs open it automatically. */
export const DEFAULT_INTENT: IntentModel = {
  events: {
    meeting_held: { weight: 35, halfLifeDays: 30 },
    meeting_scheduled: { weight: 30, halfLifeDays: 21 },
    email_replied: { weight: 20, halfLifeDays: 14 },
    linkedin_replied: { weight: 20, halfLifeDays: 14 },
    form_submitted: { weight: 20, halfLifeDays: 14 },
    page_visited: { weight: 10, halfLifeDays: 7, contains: 'pricing' },
    connection_accepted: { weight: 8, halfLifeDays: 30 },
    email_clicked: { weight: 4, halfLifeDays: 7 },
    email_opened: { weight: 0, halfLifeDays: 7 },
    meeting_cancelled: { weight: -10, halfLifeDays: 14 },
  },
  states: { intent: { evaluating: { weight: 20, halfLifeDays: 30 } } },
};

/** Default hints at a pain. */
export const DEFAULT_PAIN: readonly PainRule[] = [
  { id: 'pain', match: { property: 'pain' }, p: 0.6, halfLifeDays: 180 },
  { id: 'pain_points', match: { property: 'pain_points' }, p: 0.6, halfLifeDays: 180 },
  { id: 'signal_friction', match: { property: 'signal.friction' }, p: 0.5, halfLifeDays: 90 },
];

/** Default rules of Ability: seniority, budget, timeline and reachability. */
export const DEFAULT_ABILITY: readonly BuiltInRule[] = [
  { id: 'seniority', builtIn: 'seniority', weight: 3 },
  { id: 'budget', builtIn: 'budget', weight: 3 },
  { id: 'timeline', builtIn: 'timeline', weight: 2 },
  { id: 'channel', builtIn: 'channel', weight: 2 },
];

/** Model of a workspace without an ideal customer profile; Fit is unknown. */
export const EMPTY_MODEL: IcpModel = {
  id: 'none',
  version: 0,
  weights: DEFAULT_WEIGHTS,
  fit: [],
  pain: DEFAULT_PAIN,
  intent: DEFAULT_INTENT,
  ability: DEFAULT_ABILITY,
  suppress: new Set(),
  scale: DEFAULT_SCALE,
};
