/**
 * Bytes of parameters that one statement should carry. The driver encodes a statement in one go, which keeps the event
 * loop for about 30 ms if the statement is full.
 */
export const MAX_STATEMENT_BYTES = 5 * 1024 * 1024;
/** What a row costs beside the bytes of its texts, in bytes that take as long. */
export const ROW_OVERHEAD_BYTES = 64;

/**
 * Splits rows among statements of at most {@link MAX_STATEMENT_BYTES}, in order. A larger row gets a statement of its
 * own. While the database works on one part, other requests have a turn.
 * @param sizeOf bytes of the texts of a row
 */
export function* splitIntoStatements<Row>(rows: readonly Row[], sizeOf: (row: Row) => number): Generator<Row[]> {
  let part: Row[] = [];
  let size = 0;
  for (const row of rows) {
    const added = sizeOf(row) + ROW_OVERHEAD_BYTES;
    if (part.length > 0 && size + added > MAX_STATEMENT_BYTES) {
      yield part;
      part = [];
      size = 0;
    }
    part.push(row);
    size += added;
  }
  if (part.length > 0) yield part;
}
