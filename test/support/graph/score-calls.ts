import type { ScoreListResponse, PresentedScore, UnresolvedSubject } from '#graph/score/score.presenter.js';
import type { ErrorBody } from './graph-calls.js';
import type { Answer, Client } from '../hub.js';

/** Everything that an answer of `POST /v2/score` may hold. */
export type ScoreBody = PresentedScore & UnresolvedSubject & ScoreListResponse & ErrorBody & { max?: number };

/** A model with rules for Fit and Pain, a disqualification and a domain to suppress. */
export const MODEL = {
  id: 'icp',
  fit: [
    { id: 'title', property: 'title', op: 'contains_any', value: ['vp', 'head of'], weight: 3 },
    { id: 'industry', property: 'industry', op: 'in', value: ['SaaS'], weight: 1 },
    { id: 'size', property: 'headcount', op: 'between', value: [50, 500], slack: 50, weight: 1 },
    { id: 'intern', property: 'title', op: 'contains_any', value: ['intern'], disqualify: true },
  ],
  pain: [{ id: 'churn', match: { keyword: ['churn', 'retention'] }, p: 0.7, half_life_days: 180 }],
  suppress: { domains: ['rival.com'] },
};

/** Calls about scores, by whoever `client` is at the moment of the call. */
export function scoreCalls(client: () => Client) {
  const tryScore = (body: unknown, headers: Record<string, string> = {}): Promise<Answer<ScoreBody>> =>
    client().post<ScoreBody>('/v2/score', body, headers);
  return {
    tryScore,
    /** As `tryScore`, and expects 200. */
    score: async (body: unknown): Promise<ScoreBody> => {
      const answer = await tryScore(body);
      expect({ status: answer.status, error: answer.body.error }).toEqual({ status: 200, error: undefined });
      return answer.body;
    },
    /** Writes a section of the workspace's facts: by default the model. */
    learn: (content: unknown = MODEL, section = 'icp') => client().post('/v2/workspace/facts', { section, content }),
  };
}
