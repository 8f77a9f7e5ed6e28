import fc from 'fast-check';
import { MAX_STATEMENT_BYTES, ROW_OVERHEAD_BYTES, splitIntoStatements } from '#kernel/db/prepared-query.js';

describe('splitIntoStatements', () => {
  it('keeps the order, and makes parts that one statement can carry', () => {
    const sizes = fc.array(fc.oneof(fc.nat(2_000), fc.nat(MAX_STATEMENT_BYTES)), { maxLength: 40 });
    fc.assert(
      fc.property(sizes, rows => {
        const parts = [...splitIntoStatements(rows, size => size)];
        expect(parts.flat()).toEqual(rows);
        for (const part of parts) {
          const total = part.reduce((sum, size) => sum + size + ROW_OVERHEAD_BYTES, 0);
          expect(part.length === 1 || total <= MAX_STATEMENT_BYTES).toBe(true);
        }
      }),
    );
  });

  it('uses one statement for rows that fit into it', () => {
    expect([...splitIntoStatements(['a', 'b', 'c'], ({ length }) => length)]).toEqual([['a', 'b', 'c']]);
    expect([...splitIntoStatements([], () => 1)]).toEqual([]);
  });
});
