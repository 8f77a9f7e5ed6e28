type Node = Record<string, unknown>;

const INT32 = 2 ** 31;
const NO_NUL = '^[^\\u0000]*$';
/** The longest text of each format. */
const lengths: Readonly<Record<string, number>> = { uuid: 36, 'date-time': 40, date: 10, email: 320, uri: 2048 };
/** What stands under these names is data, not a schema. */
const data = new Set(['example', 'examples', 'default', 'enum', 'const']);

/**
 * Writes down what follows from the type of a schema and is true of every one here: how long a formatted text can be,
 * that integers have 32 bits, that no text holds a NUL. What an author has said stays. Changes `node` in place.
 */
export function stateImpliedLimits(node: unknown): void {
  if (Array.isArray(node)) return node.forEach(stateImpliedLimits);
  if (typeof node !== 'object' || node === null) return;
  for (const [name, value] of Object.entries(node)) if (!data.has(name)) stateImpliedLimits(value);
  const schema = node as Node;
  if (isOf(schema, 'integer')) fill(schema, { format: 'int32', minimum: -INT32, maximum: INT32 - 1 });
  if (isOf(schema, 'string') && schema['enum'] === undefined) {
    const length = lengths[String(schema['format'])];
    fill(schema, length === undefined ? { pattern: NO_NUL } : { maxLength: length });
  }
}

function isOf({ type }: Node, wanted: string): boolean {
  return type === wanted || (Array.isArray(type) && type.includes(wanted));
}

function fill(schema: Node, implied: Node): void {
  for (const [name, value] of Object.entries(implied)) schema[name] ??= value;
}
