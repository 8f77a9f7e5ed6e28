import type { Schemas } from '../api/schemas.ts';
import { type AskSearch, DEFAULT_GROUPING, DEFAULT_PERIOD } from './search.ts';

/** Rows of a page. */
const PAGE_ROWS = 50;

/** Returns the request of an address. */
export function toQuery(search: AskSearch): Schemas['QueryRequest'] {
  const { kind, property, source, without, q, by = DEFAULT_GROUPING, rows = 'observations', exact, value } = search;
  const times = toTimes(search);
  const observation = {
    ...(exact !== undefined && { property: [exact] }),
    ...(value !== undefined && { value: JSON.parse(value) as unknown }),
  };
  return {
    scope: {
      ...(kind !== undefined && kind !== 'all' && { kind }),
      ...(property !== undefined && { property }),
      ...(source !== undefined && { source }),
      ...times,
      limit: PAGE_ROWS,
    },
    ...(without !== undefined && { without: { property: without, ...times } }),
    ...(Object.keys(observation).length > 0 && { filter: { observation } }),
    ...(q !== undefined && { question: q }),
    return: rows,
    group_by: [by],
    // The first value of a group tells its type, which its key does not.
    aggregate: [{ op: 'count' }, { op: 'distinct_entities' }, { op: 'first' }],
  };
}

function toTimes({ from, to, period = DEFAULT_PERIOD }: AskSearch): {
  from?: string;
  to?: string;
  since_days?: number;
} {
  if (from !== undefined || to !== undefined) {
    const time = (day: string) => `${day}T00:00:00Z`;
    return { ...(from !== undefined && { from: time(from) }), ...(to !== undefined && { to: time(to) }) };
  }
  return period === 'all' ? {} : { since_days: Number(period) };
}
