import { focusOf, observationsOf } from './rows.mjs';

/** Calls in flight at once. */
export const CONCURRENCY = 16;

/**
 * Records every row by a call of its own. Rows of one address keep their order, so that a second run of the demo
 * gives the same claims; different addresses go at the same time.
 * @param {import('./client.mjs').HubClient} client
 * @param {readonly import('./rows.mjs').Row[]} rows
 * @param {(row: import('./rows.mjs').Row, answer: import('./client.mjs').Answer) => void} onAnswer
 */
export async function recordRows(client, rows, onAnswer) {
  const queues = [...Map.groupBy(rows, row => row.email.toLowerCase() || `line ${row.line}`).values()].values();
  const work = async () => {
    for (const queue of queues) {
      for (const row of queue) onAnswer(row, await client.record(focusOf(row), observationsOf(row)));
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
}
