import { isDeepStrictEqual } from 'node:util';
import { vectorsOf } from '../vectors.ts';

/** What was recorded about a person over time, and what a careful seller would answer today. */
export interface Situation {
  readonly id: string;
  readonly story: string;
  /** A state has `property`, an event `event`; `days_ago` is its time. */
  readonly observations: readonly (Readonly<Record<'source' | 'method', string>> & {
    readonly property?: string;
    readonly event?: string;
    readonly value?: unknown;
    readonly days_ago: number;
  })[];
  /** The property in question. */
  readonly ask: string;
  /** Null for a value that is unknown or has ended. What is left out is not judged. */
  readonly answer: { readonly value?: unknown; readonly safe?: boolean; readonly refused?: true };
}

/** Sends a request of a workspace with a body. */
export type Send = (path: string, body: object) => Promise<{ readonly status: number; readonly body: unknown }>;

/** All situations. */
export const readSituations = (): Situation[] => vectorsOf<Situation>('situations/situations');

/** Records a situation, each about a person of its own, and returns what a hub answers to its question. */
export async function answerOf(send: Send, { id, observations, ask, answer }: Situation): Promise<Situation['answer']> {
  // An address as focus would be the one that a bounce or a reply is about.
  const focus = `https://www.linkedin.com/in/${id}`;
  for (const { days_ago, event, property, ...rest } of observations) {
    const observed_at = new Date(Date.now() - days_ago * 86_400_000).toISOString();
    const what = event ? { kind: 'event', property: `interaction.${event}` } : { kind: 'state', property };
    const recorded = await send('/v2/observations', { focus, observations: [{ ...what, ...rest, observed_at }] });
    if (recorded.status === 400) return { refused: true };
    if (recorded.status !== 200) throw new Error(`${id}: ${recorded.status} ${JSON.stringify(recorded.body)}`);
  }
  const { body } = await send('/v2/verify', { focus, property: ask });
  const { after, safe_to_use } = body as { after: { value: unknown }; safe_to_use: boolean };
  return {
    ...('value' in answer && { value: Array.isArray(after.value) ? after.value.toSorted() : after.value }),
    ...('safe' in answer && { safe: safe_to_use }),
  };
}

/** Returns whether a hub answers a situation as judged. */
export async function isAnsweredRight(send: Send, situation: Situation): Promise<boolean> {
  return isDeepStrictEqual(await answerOf(send, situation), situation.answer);
}
