import { comparable } from './comparable.js';
import { event, record, state, tryRecord, wholeTimeline } from './graph-calls.js';
import type { Client } from '../hub.js';

/** The numbers of the writers that write at once. */
export const WRITERS = Array.from({ length: 64 }, (_, i) => i);

const day = (n: number) => new Date(Date.UTC(2026, 0, 1 + n)).toISOString();

/** What writer `i` has to say: two facts that others contradict or confirm, and one thing that happened. */
export function wordsOf(i: number): object[] {
  const more = (name: string) => ({ observed_at: day(i), external_id: `${name}-${i}` });
  const source = ['agent', 'crm', 'user', 'csv'][i % 4];
  return [
    state('title', ['CTO', 'cto ', 'CEO', null][i % 4], { ...more('title'), source }),
    state('technologies', [`tool ${i % 5}`, i % 7 === 0 ? { $end: 'tool 3' } : 'Go'], more('technologies')),
    event(['email_sent', 'email_replied', 'email_bounced'][i % 3]!, more('event')),
  ];
}

/** One mailbox in two spellings. */
export const spellingOf = (i: number) => (i % 2 ? 'Ada.Lovelace@Engine.com' : 'mailto:ada.lovelace@engine.com');

/**
 * Has 64 writers write about one new mailbox at once, each by way of one of `clients`, and expects one entity with every
 * acknowledged observation once, and the claims of a sequential replay: first the call that made the entity (the work
 * e-mail names the company since then), the others in any order.
 * @param replay a client of another, empty workspace.
 */
export async function expectOneEntityOf(clients: readonly Client[], replay: Client): Promise<void> {
  const answers = await Promise.all(
    WRITERS.map(i => tryRecord(clients[i % clients.length]!, spellingOf(i + Math.floor(i / 2)), wordsOf(i))),
  );
  expect(answers.map(({ status, body }) => [status, body.recorded])).toEqual(WRITERS.map(() => [200, 3]));
  expect(new Set(answers.map(({ body }) => body.entity_id)).size).toBe(1);
  const makers = WRITERS.filter(i => answers[i]!.body.entity_created);
  expect(makers).toHaveLength(1);

  const acknowledged = answers.flatMap(({ body }) => body.observation_ids);
  const timeline = await wholeTimeline(clients[0]!, spellingOf(0));
  const derived = timeline.filter(o => o.source === 'system:email_domain');
  expect(derived).toHaveLength(1);
  const stated = timeline.filter(o => !derived.includes(o)).map(o => o.id);
  expect(stated.toSorted()).toEqual(acknowledged.toSorted());

  const inTurn = [...makers, ...WRITERS.filter(i => !makers.includes(i)).toReversed()];
  for (const i of inTurn) await record(replay, spellingOf(0), wordsOf(i));
  expect(await comparable(clients[0]!, spellingOf(0))).toEqual(await comparable(replay, spellingOf(0)));
}

/** Has 16 writers write ten times each about one entity and now and then another, so that transactions keep meeting. */
export async function writeHot(clients: readonly Client[]): Promise<void> {
  const write = async (writer: number) => {
    for (let round = 0; round < 10; round++) {
      const word = state('title', `${writer % 3}`, {
        source: `crm:${writer}`,
        observed_at: day((round * 7 + writer) % 23),
      });
      const focus = (writer + round) % 5 ? 'linkedin.com/in/hot' : `linkedin.com/in/warm-${round % 2}`;
      await record(clients[writer % clients.length]!, focus, [
        word,
        event('email_bounced'),
        state('tags', [`t${round}`]),
      ]);
    }
  };
  await Promise.all(WRITERS.slice(0, 16).map(write));
}
