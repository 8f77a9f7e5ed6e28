import type { Operation, Schema } from '../support/open-api.js';

/** A request that must be refused. */
export interface Bad {
  readonly what: string;
  readonly body?: string;
  readonly query?: string;
  readonly type?: string;
  /** The field that the refusal has to name, where it gives details. */
  readonly field?: string;
}

type Fields = Record<string, unknown>;

/** Rows of people take any field as a fact, and their facts are what the domain says. */
const open = new Set(['CreatePersonRequest', 'UpdatePersonRequest', 'AddLeadsRequest', 'UpdateLeadRequest']);
/** Taken for the sake of clients that send them, and not looked at. */
const passedOver = new Set(['ScoreRequest.intent', 'QueryRequest.budget_tokens']);
const LONGEST_TRIED = 100_000;

/** Bad bodies: what is no JSON object, then the example with one field of a wrong type, too long, too many, unknown. */
export function* badBodiesOf(schema: Schema, example: unknown, names: Record<string, Schema>): Generator<Bad> {
  for (const body of ['{"a":', '[]', '7', '"text"', '{}{}', '\u0000']) yield { what: `the body ${body}`, body };
  yield { what: 'text', body: 'hello', type: 'text/plain' };
  yield { what: 'a form', body: 'a=1', type: 'application/x-www-form-urlencoded' };
  const name = String(schema['$ref'] ?? '')
    .split('/')
    .at(-1)!;
  if (open.has(name)) return;
  const { properties = {} } = (names[name] ?? schema) as { properties?: Record<string, Schema> };
  const changed = (field: string, value: unknown, what: string): Bad => ({
    what: `${field} ${what}`,
    body: JSON.stringify({ ...(example as Fields), [field]: value }),
    field,
  });
  for (const unknown of ['no_such_field', 'hasOwnProperty']) yield changed(unknown, 1, 'that is unknown');
  yield { ...changed('no_such_field', nested(40), 'nested 40 deep'), field: undefined };
  for (const [field, own] of Object.entries(properties)) {
    if (passedOver.has(`${name}.${field}`)) continue;
    for (const [what, value] of wrongOf(own)) yield changed(field, value, what);
  }
}

/** The example with null for each field by turns: many clients write down what they leave out. */
export function* nullsOf(schema: Schema, example: unknown, names: Record<string, Schema>): Generator<Bad> {
  const name = String(schema['$ref'] ?? '')
    .split('/')
    .at(-1)!;
  const { properties = {} } = (names[name] ?? schema) as { properties?: Record<string, Schema> };
  for (const field of Object.keys(properties)) {
    yield { what: `${field} null`, body: JSON.stringify({ ...(example as Fields), [field]: null }), field };
  }
}

/** Parameters that there are not, or that cannot be. */
export function* badQueriesOf({ method, parameters = [] }: Operation): Generator<Bad> {
  yield { what: 'an unknown parameter', query: '?no_such_parameter=1' };
  if (method !== 'GET') return;
  const query = parameters.filter(each => each.in === 'query');
  for (const { name, schema } of query) {
    if (schema['type'] === 'integer') {
      for (const value of ['0.5', 'x', '-1', '', '1e1', '0x1'])
        yield { what: `${name}=${value}`, query: `?${name}=${value}` };
    }
    yield { what: `${name} twice`, query: `?${name}=1&${name}=1` };
    if (name === 'cursor') yield { what: 'a bad cursor', query: '?cursor=%00nonsense' };
    if (schema['format'] === 'date-time') yield { what: `${name}=soon`, query: `?${name}=soon` };
    if (schema['enum']) yield { what: `${name}=zzz`, query: `?${name}=zzz` };
  }
}

function* wrongOf(schema: Schema): Generator<[what: string, value: unknown]> {
  const { type, maxLength, maxItems, format } = schema as {
    type?: string;
    maxLength?: number;
    maxItems?: number;
    format?: string;
  };
  if (schema['oneOf'] ?? schema['anyOf']) return;
  if (type === 'string') {
    yield ['a list', ['x']];
    yield ['an object', { a: 1 }];
    if (format !== undefined) yield ['no such thing', 'zzz'];
    if (format === undefined && maxLength && maxLength <= LONGEST_TRIED) yield ['too long', 'x'.repeat(maxLength + 1)];
  }
  if (type === 'integer' || type === 'number') for (const value of ['x', {}, [1]]) yield ['no number', value];
  if (type === 'boolean') yield ['no boolean', 'perhaps'];
  if (type === 'array') {
    yield ['no list', 'x'];
    if (maxItems && maxItems <= 1_000) yield ['too many', Array.from({ length: maxItems + 1 }, () => 'x')];
  }
}

function nested(levels: number): unknown {
  return levels === 0 ? 1 : { a: nested(levels - 1) };
}
