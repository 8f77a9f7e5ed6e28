import type { RetractionResponse } from '#graph/retractions/retractions.presenter.js';
import type { Client } from '../hub.js';

/** Retracts what a source stated, page by page; returns the sums. */
export async function retractSource(client: Client, source: string, body: object = {}) {
  const sums = { observations: 0, notes: 0, leads: 0, entities_removed: 0 };
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await client.post<RetractionResponse>('/v2/retractions', {
      source,
      ...body,
      ...(cursor && { cursor }),
    });
    if (page.status !== 200) throw new Error(`the retraction was refused: ${JSON.stringify(page.body)}`);
    for (const name of ['observations', 'notes', 'leads', 'entities_removed'] as const) sums[name] += page.body[name];
    cursor = page.body.next_cursor;
  }
  return sums;
}
