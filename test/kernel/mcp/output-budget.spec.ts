import fc from 'fast-check';
import { truncateObject, truncateText, estimateOutputTokens } from '#kernel/mcp/output-budget.js';
import { toToolResult } from '#kernel/mcp/mcp-responses.js';
import type { McpToolOptions } from '#sdk/index.js';

const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
const options = (readOnlyHint: boolean, more: object = {}): McpToolOptions => ({
  name: 'a_tool',
  title: 'A',
  description: 'A.',
  input: { type: 'object' },
  scopes: [],
  annotations: { ...READS, readOnlyHint },
  ...more,
});

it('counts a token per 3.6 bytes of UTF-8, rounded up', () => {
  expect([
    estimateOutputTokens(''),
    estimateOutputTokens('abc'),
    estimateOutputTokens('abcd'),
    estimateOutputTokens('éé'),
  ]).toEqual([0, 1, 2, 2]);
});

it('whatever the lists hold, what is sent fits, is the same JSON, and keeps leading items', () => {
  const items = fc.array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.integer(), fc.record({ a: fc.string() })), {
    maxLength: 80,
  });
  fc.assert(
    fc.property(items, items, fc.integer({ min: 90, max: 400 }), (first, second, budget) => {
      const fitted = truncateObject({ id: 'x', first, second, next_cursor: 'c' }, ['first', 'second'], budget);
      expect(fitted).toBeDefined();
      const sent = JSON.parse(fitted?.text ?? '');
      expect(estimateOutputTokens(fitted?.text ?? '')).toBeLessThanOrEqual(budget);
      expect(fitted?.value).toEqual(sent);
      expect(sent.first).toEqual(first.slice(0, sent.first.length));
      expect(sent.second).toEqual(second.slice(0, sent.second.length));
      expect(sent.next_cursor).toBe('c');
      for (const { field, shown, of } of sent.truncated?.fields ?? []) {
        expect(sent[field]).toHaveLength(shown);
        expect(of).toBe({ first, second }[field as 'first' | 'second'].length);
        expect(shown).toBeLessThan(of);
      }
      if (sent.first.length > 0) expect(sent.second).toHaveLength(second.length);
    }),
  );
});

it('leaves out no more than it must', () => {
  const rows = Array.from({ length: 1000 }, (_, n) => `row ${n}`);
  const fitted = truncateObject({ rows }, ['rows'], 500);
  const shown = (fitted?.value['rows'] as unknown[] | undefined)?.length ?? 0;
  const next = JSON.stringify({ rows: rows.slice(0, shown + 1) });
  const note =
    estimateOutputTokens(fitted?.text ?? '') - estimateOutputTokens(JSON.stringify({ rows: rows.slice(0, shown) }));
  expect(estimateOutputTokens(next) + note).toBeGreaterThan(500 - 4);
});

it('shortens text at a line border and never splits a character', () => {
  const text = truncateText('première ligne\n'.repeat(500), 100);
  expect(estimateOutputTokens(text)).toBeLessThanOrEqual(100);
  expect(text).toMatch(/^(première ligne\n)+\[Shortened .* 7500 characters in all/);
  expect(truncateText('é'.repeat(5000), 100)).toMatch(/^é+\n\[Shortened/);
});

it('says what to do when nothing may be shortened', () => {
  const huge = { text: 'x'.repeat(100_000) };
  expect(toToolResult(options(true), huge)).toMatchObject({
    isError: true,
    content: [{ text: expect.stringMatching(/Ask for less/) }],
  });
  expect(toToolResult(options(false), huge)).toMatchObject({
    isError: true,
    content: [{ text: expect.stringMatching(/was carried out. Do not repeat/) }],
  });
});

it('sends text and lists as text only, and insists on an object where one was promised', () => {
  expect(toToolResult(options(true), 'plain')).toEqual({ content: [{ type: 'text', text: 'plain' }] });
  expect(toToolResult(options(true), [1, 2])).toEqual({ content: [{ type: 'text', text: '[1,2]' }] });
  expect(toToolResult(options(true), undefined)).toEqual({ content: [{ type: 'text', text: 'done' }] });
  expect(() => toToolResult(options(true, { output: { type: 'object' } }), 'plain')).toThrow(TypeError);
});
