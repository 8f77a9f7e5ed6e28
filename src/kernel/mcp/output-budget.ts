import { z } from 'zod';

/**
 * Level of detail of a tool result: `brief` for the fields that are needed to act, `full` for everything that the
 * REST counterpart returns.
 */
export const detail = z.enum(['brief', 'full']).default('brief').describe('full returns every field.');

/** A value of {@link detail}. */
export type DetailLevel = z.output<typeof detail>;

/**
 * Trims a result to the requested level of detail. A brief result omits the fields at `paths`: names joined by dots,
 * where `*` stands for every item of an array or every entry of a map, as in `claims.*.sources`.
 */
export function trimToDetail<T extends object>(result: T, level: DetailLevel, paths: readonly string[]): T {
  if (level === 'full') return result;
  return paths.reduce((trimmed, path) => omitPath(trimmed, path.split('.')), result as unknown) as T;
}

/** Copies only the nodes on the path, because results may be shared with other callers. */
function omitPath(node: unknown, [step, ...rest]: readonly string[]): unknown {
  if (typeof node !== 'object' || node === null || step === undefined) return node;
  if (step === '*' && Array.isArray(node)) return node.map(item => omitPath(item, rest));
  if (step === '*') return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, omitPath(value, rest)]));
  if (!Object.hasOwn(node, step)) return node;
  const { [step]: value, ...others } = node as Record<string, unknown>;
  return rest.length === 0 ? others : { ...node, [step]: omitPath(value, rest) };
}

/** Maximum number of tokens of a result. Some clients reject calls with more than 25,000. */
export const OUTPUT_BUDGET_TOKENS = 8000;

/** UTF-8 bytes per token; a conservative value for JSON of mostly English text. */
const BYTES_PER_TOKEN = 3.6;

/** A truncated result and its JSON. */
export interface Truncated {
  readonly value: Record<string, unknown>;
  readonly text: string;
}

/** A truncated array or map: the result has the first `shown` of its `of` items. */
interface TruncatedField {
  readonly field: string;
  readonly shown: number;
  readonly of: number;
}

/** Estimates tokens as UTF-8 bytes / 3.6, rounded up. */
export function estimateOutputTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}

/**
 * Truncates the arrays and maps named in `trim`, in that order, at item boundaries, until the JSON fits the budget,
 * and reports it in the field `truncated`. Counts and cursors of the result do not change. Returns undefined if it
 * cannot fit.
 */
export function truncateObject(
  whole: Record<string, unknown>,
  trim: readonly string[],
  budget: number,
): Truncated | undefined {
  let fitted: Truncated = { value: whole, text: JSON.stringify(whole) };
  const cuts: TruncatedField[] = [];
  for (const field of trim) {
    if (estimateOutputTokens(fitted.text) <= budget) break;
    const items = toTruncatable(whole[field]);
    if (!items || items.all.length === 0) continue;
    const of = items.all.length;
    const emptied = withTruncationNote({ ...fitted.value, [field]: items.of(0) }, [...cuts, { field, shown: 0, of }]);
    const bytes = budget * BYTES_PER_TOKEN - Buffer.byteLength(emptied.text) - String(of).length;
    const shown = countItemsWithin(bytes, items.all);
    cuts.push({ field, shown, of });
    fitted = withTruncationNote({ ...fitted.value, [field]: items.of(shown) }, cuts);
  }
  return estimateOutputTokens(fitted.text) <= budget ? fitted : undefined;
}

/** Truncates plain text at the end of a line, or at any character if its first line alone is too long. */
export function truncateText(text: string, budget: number): string {
  if (estimateOutputTokens(text) <= budget) return text;
  const note = `\n[Shortened to the output budget: ${text.length} characters in all. Ask for less at once.]`;
  const maxBytes = Math.max(0, Math.floor(budget * BYTES_PER_TOKEN) - Buffer.byteLength(note));
  const head = Buffer.from(text)
    .subarray(0, maxBytes)
    .toString()
    .replace(/\uFFFD$/, '');
  const lineEnd = head.lastIndexOf('\n');
  return head.slice(0, lineEnd > 0 ? lineEnd : head.length) + note;
}

function withTruncationNote(value: Record<string, unknown>, cuts: readonly TruncatedField[]): Truncated {
  const cursorHint =
    value['next_cursor'] == null ? '' : ' next_cursor continues after the items that are left out here.';
  const advice = 'Shortened to the output budget. Ask for less at once (a smaller limit or a narrower question).';
  const hint = advice + cursorHint;
  const annotated = { ...value, truncated: { fields: cuts, hint } };
  return { value: annotated, text: JSON.stringify(annotated) };
}

/** Returns the parts of a field that can be truncated: the items of an array or the entries of a map. */
function toTruncatable(field: unknown): { all: readonly unknown[]; of: (count: number) => unknown } | undefined {
  if (Array.isArray(field)) return { all: field, of: count => field.slice(0, count) };
  if (typeof field !== 'object' || field === null) return undefined;
  const entries = Object.entries(field);
  return { all: entries, of: count => Object.fromEntries(entries.slice(0, count)) };
}

function countItemsWithin(bytes: number, items: readonly unknown[]): number {
  let used = 0;
  const over = items.findIndex(item => {
    used += Buffer.byteLength(JSON.stringify(item) ?? 'null') + 1;
    return used > bytes;
  });
  return over === -1 ? items.length : over;
}
