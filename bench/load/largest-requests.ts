import { FULL_BODIES } from './full-bodies.ts';

/** The parts of an OpenAPI schema that say how large a value may be. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly example?: unknown;
  readonly minimum?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema?: Schema }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

/** The document of a hub. */
export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** A request as large as its operation allows. */
export interface LargestRequest {
  readonly operationId: string;
  /** What it is full of. */
  readonly contents: string;
  readonly method: string;
  readonly path: string;
  /** Built when it is needed: all of them together would not fit into memory. */
  readonly body?: () => string;
}

/** Texts that careless code takes long for. */
const TEXTS: Readonly<Record<string, string>> = {
  sentences: 'Ada is now CRO at Acme. Their budget is $40k, and they decide by March 3. She left Initech. ',
  lines: 'Ada: we renew in March.\nBob (VP Sales): call me at +49 170 1234567 or bob@acme.com\n',
  dots: 'a.b.',
  digits: '1234567890',
  letters: 'x',
  brackets: '([{<',
  spaces: '\t ',
  signs: '漢🙂é',
};

/** Bodies of no meaning, which parsers have to refuse. */
const JUNK: Readonly<Record<string, (bytes: number) => string>> = {
  'open brackets': bytes => '['.repeat(bytes),
  'nested lists': bytes => '['.repeat(bytes / 2) + ']'.repeat(bytes / 2),
  'empty objects': bytes => filled(bytes, () => '{}', '[]'),
  'small numbers': bytes => filled(bytes, () => '1', '[]'),
  names: bytes => filled(bytes, i => `"n${i.toString(36)}":0`, '{}'),
  'objects of names': bytes => filled(bytes, i => wideObject(i), '[]', 99),
  'one text': bytes => `"${'x'.repeat(bytes - 2)}"`,
  'escaped text': bytes => `"${'\\u00e9'.repeat((bytes - 2) / 6)}"`,
  'Chinese text': bytes => `"${'漢'.repeat((bytes - 2) / 3)}"`,
};
const JUNK_COUNT = 99_000;

/** What makes an item of a list somebody of its own. */
const IDENTIFIERS: Readonly<Record<string, (i: number) => string>> = {
  email: i => `person${i}@company${i}.com`,
  emails: i => `person${i}@company${i}.com`,
  linkedin_url: i => `https://www.linkedin.com/in/person-${i}`,
  linkedin_urls: i => `https://www.linkedin.com/in/person-${i}`,
  domain: i => `company${i}.com`,
  domains: i => `company${i}.com`,
  identifiers: i => `person${i}@company${i}.com`,
  focus: () => 'ada@acme.com',
  identifier: () => 'ada@acme.com',
  property: i => `fact_${i}`,
  url: i => `https://example.org/hooks/${i}`,
};
const FREE_MEMBERS = 90;
const MAX_ITEMS = 1_000;
/** What a body may have besides the texts that fill it. */
const SPARE_BYTES = 0.75;

/**
 * Makes the largest requests of every operation of a document: junk up to the limit of the body, each field in turn as
 * large as its schema allows, and each parameter.
 * @param maxBytes limit of an operation's body.
 */
export function* largestRequests(
  document: OpenApiDocument,
  maxBytes: (method: string, path: string) => number,
): Generator<LargestRequest> {
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [name, operation] of Object.entries(methods)) {
      const method = name.toUpperCase();
      const { operationId } = operation;
      const plain = path.replaceAll(/\{\w+\}/g, 'ada@acme.com');
      for (const each of parameterRequests(path, operation)) yield { operationId, method, ...each };
      const schema = operation.requestBody?.content['application/json']?.schema;
      if (!schema) continue;
      const bytes = maxBytes(method, plain);
      for (const [contents, make] of Object.entries(JUNK)) {
        yield { operationId, contents, method, path: plain, body: () => make(bytes) };
      }
      for (const [contents, body] of fullBodies(operationId)) {
        yield { operationId, contents, method, path: plain, body };
      }
      for (const { contents, body } of fieldBodies(schema, document, bytes)) {
        yield { operationId, contents, method, path: plain, body };
      }
    }
  }
}

/** A tool as `tools/list` returns it. */
export interface ListedTool {
  readonly name: string;
  readonly inputSchema: Schema;
}

/** Makes the largest calls of MCP tools: junk up to the limit of the body, and each parameter as large as it may be. */
export function* largestToolCalls(tools: readonly ListedTool[], bytes: number): Generator<LargestRequest> {
  yield* junkRequests('mcp', '/mcp', bytes);
  const document: OpenApiDocument = { paths: {}, components: { schemas: {} } };
  for (const { name, inputSchema } of tools) {
    for (const { contents, body } of fieldBodies(inputSchema, document, bytes)) {
      const call = () =>
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":${JSON.stringify(name)},"arguments":${body()}}}`;
      yield { operationId: `tool.${name}`, contents, method: 'POST', path: '/mcp', body: call };
    }
  }
}

/** Makes bodies of no meaning up to the limit of a path. */
export function* junkRequests(operationId: string, path: string, bytes: number): Generator<LargestRequest> {
  for (const [contents, make] of Object.entries(JUNK))
    yield { operationId, contents, method: 'POST', path, body: () => make(bytes) };
}

function* fullBodies(operationId: string): Generator<[contents: string, body: () => string]> {
  for (const [name, make] of Object.entries(FULL_BODIES[operationId] ?? {})) {
    for (const [kind, text] of Object.entries(TEXTS)) {
      yield [`${name}, ${kind}`, () => JSON.stringify(make(length => repeated(text, length)))];
    }
  }
}

function* parameterRequests(
  path: string,
  { parameters = [] }: Operation,
): Generator<{ path: string; contents: string }> {
  const plain = path.replaceAll(/\{\w+\}/g, 'ada@acme.com');
  yield { path: plain, contents: 'nothing' };
  for (const { name, in: place, schema } of parameters) {
    if (place === 'header') continue;
    for (const [kind, text] of Object.entries(TEXTS)) {
      const most = Math.min(schema?.maxLength ?? 2_048, place === 'path' ? 600 : 4_000);
      const value = encodeURIComponent(repeated(text, most).toWellFormed())
        .slice(0, 12_000)
        .replace(/%.?$|%E.{0,7}$/, '');
      const filled = place === 'path' ? path.replace(`{${name}}`, value).replaceAll(/\{\w+\}/g, 'ada@acme.com') : plain;
      yield { path: place === 'path' ? filled : `${plain}?${name}=${value}`, contents: `${kind} in ${name}` };
    }
  }
}

function* fieldBodies(schema: Schema, document: OpenApiDocument, bytes: number) {
  const { properties = {}, required = [] } = resolved(schema, document);
  const grow = (name: string, text: string, room: number) =>
    grown(properties[name]!, { name, text, room, place: 0 }, document);
  const least = (names: readonly string[]) => Object.fromEntries(names.map(name => [name, grow(name, 'a', 1)]));
  for (const [name, field] of Object.entries(properties)) {
    if (!isLarge(resolved(field, document))) continue;
    const bases = 'focus' in properties && name !== 'focus' ? [['focus'], []] : [[]];
    for (const base of bases) {
      for (const [kind, text] of Object.entries(TEXTS)) {
        const fill = () => {
          const names = [...new Set([...required, ...base])].filter(each => each !== name && each in properties);
          const room = (bytes * SPARE_BYTES * text.length) / (Buffer.byteLength(JSON.stringify(text)) - 2);
          const extra = 'extract' in properties ? { extract: true } : {};
          return JSON.stringify({ ...least(names), ...extra, [name]: grow(name, text, room) });
        };
        yield { contents: `${kind} in ${name}${base.length > 0 ? ' with focus' : ''}`, body: fill };
      }
    }
  }
}

function isLarge({ type, maxLength = 0, maxItems, format }: Schema): boolean {
  if (type === 'array') return (maxItems ?? MAX_ITEMS) > 1;
  return type === 'object' || type === undefined || (format === undefined && maxLength > 500);
}

interface Growth {
  readonly name: string;
  readonly text: string;
  /** Characters that the value may have. */
  readonly room: number;
  /** Of the item in its list. */
  readonly place: number;
}

function grown(given: Schema, growth: Growth, document: OpenApiDocument): unknown {
  const schema = resolved(given, document);
  const { name, text, room, place } = growth;
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (schema.enum) return schema.enum[0];
  if (type === 'boolean') return false;
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1;
  if (type === 'array') {
    const count = Math.max(1, Math.min(schema.maxItems ?? MAX_ITEMS, Math.floor(room / 60) || 1));
    return Array.from({ length: count }, (_, i) =>
      grown(schema.items ?? {}, { name, text, room: room / count - 10, place: i }, document),
    );
  }
  if (schema.properties && Object.keys(schema.properties).length > 0) {
    const names = Object.keys(schema.properties);
    const each = room / names.length - 20;
    return Object.fromEntries(
      names.map(inner => [
        inner,
        grown(schema.properties![inner]!, { name: inner, text, room: each, place }, document),
      ]),
    );
  }
  if (type === 'object' || type === undefined) return freeObject(growth);
  if (schema.format && schema.example !== undefined) return schema.example;
  const identify = IDENTIFIERS[name];
  if (identify) return identify(place);
  return repeated(text, Math.min(schema.maxLength ?? room, room));
}

/** An object of names of its own, with an address and small texts. */
function freeObject({ text, room, place }: Growth): Record<string, unknown> {
  const count = Math.max(1, Math.min(FREE_MEMBERS, Math.floor(room / 40)));
  const length = Math.min(1_900, Math.max(1, room / count - 20));
  const members = Array.from({ length: count }, (_, i) => [`fact_${i}`, repeated(text, length)]);
  return { email: IDENTIFIERS['email']!(place), title: repeated(text, length), ...Object.fromEntries(members) };
}

function resolved(schema: Schema, document: OpenApiDocument): Schema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : document.components.schemas[name]!;
}

function repeated(text: string, length: number): string {
  const wanted = Math.max(1, Math.floor(length));
  return text.repeat(Math.ceil(wanted / text.length)).slice(0, wanted);
}

function wideObject(place: number): string {
  const names = Array.from({ length: 990 }, (_, i) => `"n${place}_${i.toString(36)}":0`);
  return `{${names.join(',')}}`;
}

function filled(bytes: number, item: (i: number) => string, [open, close]: string, most = JUNK_COUNT): string {
  const items: string[] = [];
  for (let i = 0, length = 2; i < most; i++) {
    const next = item(i);
    if (length + next.length + 1 > bytes) break;
    items.push(next);
    length += next.length + 1;
  }
  return open! + items.join(',') + close!;
}
