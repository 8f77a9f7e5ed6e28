/** A row of a table. */
export type Row = Readonly<Record<string, unknown>>;

/** A query as far as it is understood: columns, table, condition, order and number of rows. */
export interface ParsedQuery {
  readonly fields: readonly string[];
  readonly from: string;
  readonly matches: (row: Row) => boolean;
  readonly orderBy: readonly string[];
  readonly limit: number;
}

type Condition = (row: Row) => boolean;

const QUERY =
  /^SELECT (?<fields>.+?) FROM (?<from>\w+)(?: WHERE (?<where>.+?))?(?: ORDER BY (?<order>[\w, ]+?))?(?: LIMIT (?<limit>\d+))?$/;
const TOKEN = /'(?:[^'\\]|\\.)*'|[(),]|>=|[=>]|[^\s(),=>]+/g;

/** Parses a query. @throws Error with what is wrong with it */
export function parseSoql(text: string): ParsedQuery {
  const { fields, from, where, order, limit } = QUERY.exec(text)?.groups ?? {};
  if (fields === undefined || from === undefined) throw new Error(`unexpected token: ${text.slice(0, 60)}`);
  return {
    // A query of related records is one column.
    fields: fields.split(/, (?![^(]*\))/),
    from,
    matches: where === undefined ? () => true : parseConditions(where.match(TOKEN)!),
    orderBy: order === undefined ? [] : order.split(', '),
    limit: limit === undefined ? Infinity : Number(limit),
  };
}

/** Returns the rows that a query selects, in its order. */
export function selectRows({ matches, orderBy, limit }: ParsedQuery, rows: readonly Row[]): readonly Row[] {
  const compare = (a: Row, b: Row) =>
    orderBy.map(field => String(a[field]).localeCompare(String(b[field]))).find(order => order !== 0) ?? 0;
  return rows.filter(matches).toSorted(compare).slice(0, limit);
}

function parseConditions(tokens: string[]): Condition {
  const condition = parseAlternatives(tokens);
  if (tokens.length > 0) throw new Error(`unexpected token: ${tokens[0]}`);
  return condition;
}

function parseAlternatives(tokens: string[]): Condition {
  const all = [parseTogether(tokens)];
  while (tokens[0] === 'OR') {
    tokens.shift();
    all.push(parseTogether(tokens));
  }
  return row => all.some(matches => matches(row));
}

function parseTogether(tokens: string[]): Condition {
  const all = [parseComparison(tokens)];
  while (tokens[0] === 'AND') {
    tokens.shift();
    all.push(parseComparison(tokens));
  }
  return row => all.every(matches => matches(row));
}

function parseComparison(tokens: string[]): Condition {
  if (tokens[0] === '(') {
    tokens.shift();
    const condition = parseAlternatives(tokens);
    if (tokens.shift() !== ')') throw new Error('expecting a right parentheses');
    return condition;
  }
  const [field, operator] = tokens.splice(0, 2);
  if (operator === 'IN') {
    const values = new Set(parseList(tokens));
    return row => values.has(toComparable(row[field!]));
  }
  const value = toValue(tokens.shift());
  if (operator === '=') return row => toComparable(row[field!]) === value;
  if (operator === '>') return row => String(toComparable(row[field!])) > String(value);
  if (operator === '>=') return row => String(toComparable(row[field!])) >= String(value);
  throw new Error(`unknown operator: ${operator}`);
}

function parseList(tokens: string[]): unknown[] {
  const values: unknown[] = [];
  if (tokens.shift() !== '(') throw new Error('expecting a left parentheses');
  for (;;) {
    values.push(toValue(tokens.shift()));
    const next = tokens.shift();
    if (next === ')') return values;
    if (next !== ',') throw new Error('expecting a right parentheses');
  }
}

function toValue(token: string | undefined): unknown {
  if (token === undefined) throw new Error('unexpected end of the query');
  if (token.startsWith("'")) return toComparable(token.slice(1, -1).replaceAll(/\\(.)/g, '$1'));
  const keyword = token.toUpperCase();
  if (keyword === 'NULL') return null;
  return keyword === 'TRUE' ? true : keyword === 'FALSE' ? false : toComparable(token);
}

/** Texts are compared without regard to case. */
function toComparable(value: unknown): unknown {
  return typeof value === 'string' ? value.toLowerCase() : (value ?? null);
}
