/**
 * Characters of parameters that one statement should carry. The driver encodes a statement in one go, which keeps the
 * event loop for about 5 ms per megabyte, and for more than twice as long where texts are not in Latin script.
 */
export const MAX_STATEMENT_CHARACTERS = 1024 * 1024;

/**
 * Splits rows among statements of at most {@link MAX_STATEMENT_CHARACTERS}, in order. A larger row gets a statement of
 * its own. While the database works on one part, other requests have a turn.
 * @param sizeOf characters of a row
 */
export function* splitIntoStatements<Row>(rows: readonly Row[], sizeOf: (row: Row) => number): Generator<Row[]> {
  let part: Row[] = [];
  let size = 0;
  for (const row of rows) {
    const added = sizeOf(row);
    if (part.length > 0 && size + added > MAX_STATEMENT_CHARACTERS) {
      yield part;
      part = [];
      size = 0;
    }
    part.push(row);
    size += added;
  }
  if (part.length > 0) yield part;
}
