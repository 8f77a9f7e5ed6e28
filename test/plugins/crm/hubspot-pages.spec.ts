import fc from 'fast-check';
import { nextCursor } from '../../../plugins/crm/src/adapters/hubspot/hubspot-pages.js';

const MAX_RESULTS = 10_000;
const LIMIT = 200;

interface Row {
  readonly id: string;
  readonly updatedAt: string;
  readonly ms: number;
  readonly properties: Record<string, never>;
}

type Cursor = NonNullable<ReturnType<typeof nextCursor>>;

/** A page of a search as HubSpot answers it. @param rows by time */
function search(rows: readonly Row[], { fromMs, after, afterId }: Cursor) {
  const found =
    afterId === null
      ? rows.filter(row => row.ms >= fromMs)
      : rows.filter(row => row.ms === fromMs && Number(row.id) > Number(afterId));
  const start = Number(after ?? 0);
  if (start + LIMIT > MAX_RESULTS) throw new Error('beyond 10 000 results');
  return { page: found.slice(start, start + LIMIT), next: start + LIMIT < found.length ? String(start + LIMIT) : null };
}

/** Reads everything from a time on, and returns the IDs. */
function readAll(rows: readonly Row[], fromMs: number): { ids: Set<string>; requests: number } {
  const ids = new Set<string>();
  let requests = 0;
  for (let at: Cursor | null = { fromMs, after: null, afterId: null }; at !== null; requests++) {
    if (requests > 1_000) throw new Error('the search does not end');
    const { page, next } = search(rows, at);
    for (const { id } of page) ids.add(id);
    at = nextCursor(at, page, next);
  }
  return { ids, requests };
}

const rowsAt = (counts: readonly number[]): Row[] =>
  counts
    .flatMap((count, moment) => Array.from({ length: count }, () => 1_000 * (moment + 1)))
    .map((ms, index) => ({ id: String(index + 1), ms, updatedAt: new Date(ms).toISOString(), properties: {} }));

describe('the search of changes', () => {
  it('reads every record, however many were changed at one and the same moment', () => {
    const count = fc.oneof(fc.integer({ min: 0, max: 300 }), fc.constantFrom(9_999, 10_000, 10_001, 12_345));
    fc.assert(
      fc.property(fc.array(count, { minLength: 1, maxLength: 3 }), counts => {
        const rows = rowsAt(counts);
        expect(readAll(rows, 0).ids.size).toBe(rows.length);
      }),
      { numRuns: 15 },
    );
  });

  it('needs hardly more requests than there are pages', () => {
    const rows = rowsAt(Array.from({ length: 250 }, () => 100));
    expect(readAll(rows, 0).requests).toBeLessThanOrEqual(Math.ceil(rows.length / LIMIT) * 1.2);
  });
});
