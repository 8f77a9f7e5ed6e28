/** Rows (observations, leads, people), sent or requested, that cost as much as a request. */
const ROWS_PER_POINT = 100;
/** Bytes of a body that cost as much as a request. */
const BYTES_PER_POINT = 64 * 1024;
/** A higher `limit` is refused by every operation, and costs no more. */
const MAX_REQUESTED_ROWS = 1000;

/**
 * Returns how many requests a request counts for: each call of an MCP batch is one, and each full hundred of rows that
 * it sends or asks for (`limit`) and each full 64 KB of the body is one more. A plain request costs 1.
 * @param body the parsed JSON body, if there is one
 * @param bytes size of the body, 0 if unknown
 * @param limit the query parameter of that name, if there is one
 */
export function computeRequestCost(body: unknown, bytes: number, limit?: unknown): number {
  const calls = Array.isArray(body) ? Math.max(1, body.length) : 1;
  const rows = countRows(body) + readLimit(limit);
  return calls + Math.floor(rows / ROWS_PER_POINT) + Math.floor(bytes / BYTES_PER_POINT);
}

function readLimit(limit: unknown): number {
  const rows = typeof limit === 'string' || typeof limit === 'number' ? Number(limit) : 0;
  return Number.isFinite(rows) ? Math.min(Math.max(0, rows), MAX_REQUESTED_ROWS) : 0;
}

/** Counts the items of the lists in a body, or in the arguments of its MCP calls. */
function countRows(body: unknown): number {
  if (Array.isArray(body)) return body.reduce<number>((sum, call) => sum + countRows(call), 0);
  if (!isObject(body)) return 0;
  const { params } = body;
  return (
    countListItems(body) + (isObject(params) && isObject(params['arguments']) ? countListItems(params['arguments']) : 0)
  );
}

function countListItems(fields: Readonly<Record<string, unknown>>): number {
  const sent = Object.values(fields).reduce<number>((sum, value) => sum + (Array.isArray(value) ? value.length : 0), 0);
  return sent + (typeof fields['limit'] === 'number' ? readLimit(fields['limit']) : 0);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
