import type { Schema } from '../support/open-api.js';

type Named = Readonly<Record<string, Schema>>;

/** Two schemas of one place, before and after, each with what its references lead to. */
export interface Change {
  readonly where: string;
  readonly before: Schema | undefined;
  readonly after: Schema | undefined;
  readonly oldNames: Named;
  readonly newNames: Named;
}

const upper = ['maxLength', 'maxItems', 'maximum', 'maxProperties'];
const lower = ['minLength', 'minItems', 'minimum', 'minProperties'];
const DEEPEST = 12;

/** What a sender that keeps to the schema before can no longer send. */
export function* narrowed(change: Change, depth = 0): Generator<string> {
  const { where, before, after } = resolved(change);
  if (!before || !after || depth > DEEPEST) return;
  for (const type of typesOf(before)) {
    if (typesOf(after).length > 0 && !takes(typesOf(after), type)) yield `${where}: ${type} is no longer taken`;
  }
  for (const word of missingWords(before, after)) yield `${where}: "${word}" is no longer taken`;
  for (const rule of upper)
    if (num(after, rule, Infinity) < num(before, rule, Infinity)) yield `${where}: ${rule} fell`;
  for (const rule of lower) if (num(after, rule, -1) > num(before, rule, -1)) yield `${where}: ${rule} rose`;
  for (const field of requiredOf(after)) {
    if (!requiredOf(before).includes(field)) yield `${where}.${field}: is required now`;
  }
  for (const field of gone(before, after)) yield `${where}.${field}: is no longer taken`;
  for (const inner of within(change)) yield* narrowed(inner, depth + 1);
}

/** What a reader that keeps to the schema before can no longer find. */
export function* withdrawn(change: Change, depth = 0): Generator<string> {
  const { where, before, after } = resolved(change);
  if (!before || !after || depth > DEEPEST) return;
  for (const type of typesOf(after)) {
    if (typesOf(before).length > 0 && !takes(typesOf(before), type)) yield `${where}: may be ${type} now`;
  }
  for (const field of gone(before, after)) yield `${where}.${field}: is gone`;
  for (const field of requiredOf(before)) {
    if (fieldsOf(after)[field] && !requiredOf(after).includes(field)) yield `${where}.${field}: may be absent now`;
  }
  for (const inner of within(change)) yield* withdrawn(inner, depth + 1);
}

function resolved({ where, before, after, oldNames, newNames }: Change) {
  return { where, before: follow(before, oldNames), after: follow(after, newNames) };
}

/** The schema that is meant: references are followed, and of a schema or null it is the schema. */
function follow(schema: Schema | undefined, names: Named): Schema | undefined {
  const reference = schema?.['$ref'];
  if (typeof reference === 'string') return follow(names[reference.split('/').at(-1)!], names);
  const choices = (schema?.['oneOf'] ?? schema?.['anyOf'] ?? schema?.['allOf']) as Schema[] | undefined;
  const single = choices?.filter(({ type }) => type !== 'null');
  if (single?.length !== 1 || !choices) return schema;
  const inner = follow(single[0], names);
  return choices.length === 1 ? inner : { ...inner, type: [...typesOf(inner ?? {}), 'null'] };
}

/** The schemas among which a value may choose, without null; the schema itself if there is no choice. */
function choicesOf(schema: Schema | undefined): Schema[] {
  const choices = (schema?.['oneOf'] ?? schema?.['anyOf']) as Schema[] | undefined;
  return choices?.filter(({ type }) => type !== 'null') ?? (schema ? [schema] : []);
}

/** Each choice before beside the same choice after: of the same name, or else of the same type. */
function* choicesWithin(change: Change): Generator<Change> {
  const { before, after } = resolved(change);
  const [old, now] = [choicesOf(before), choicesOf(after)];
  if (old.length < 2 && now.length < 2) return;
  for (const choice of old) {
    const same = now.find(each => (choice['$ref'] ? each['$ref'] === choice['$ref'] : each['type'] === choice['type']));
    if (same) yield { ...change, before: choice, after: same };
  }
}

function* within(change: Change): Generator<Change> {
  const { where, before, after } = resolved(change);
  yield* choicesWithin(change);
  for (const [field, schema] of Object.entries(fieldsOf(before))) {
    yield { ...change, where: `${where}.${field}`, before: schema, after: fieldsOf(after)[field] };
  }
  for (const [key, sign] of [
    ['items', '[]'],
    ['additionalProperties', '.*'],
  ] as const) {
    const [held, now] = [before?.[key], after?.[key]];
    if (isObject(held) && isObject(now)) yield { ...change, where: where + sign, before: held, after: now };
  }
}

function gone(before: Schema, after: Schema): string[] {
  return Object.keys(fieldsOf(before)).filter(field => !fieldsOf(after)[field]);
}

function fieldsOf(schema: Schema | undefined): Named {
  return (schema?.['properties'] ?? {}) as Named;
}

function requiredOf(schema: Schema): string[] {
  return (schema['required'] ?? []) as string[];
}

function typesOf(schema: Schema): string[] {
  return [schema['type'] ?? []].flat() as string[];
}

function takes(types: readonly string[], type: string): boolean {
  return types.includes(type) || (type === 'integer' && types.includes('number'));
}

function missingWords(before: Schema, after: Schema): string[] {
  const words = after['enum'] as string[] | undefined;
  return words ? ((before['enum'] ?? []) as string[]).filter(word => !words.includes(word)) : [];
}

function num(schema: Schema, rule: string, otherwise: number): number {
  return typeof schema[rule] === 'number' ? schema[rule] : otherwise;
}

function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null;
}
