import { PermanentError } from '@rapport/plugin-sdk';

/** Names of fields as Salesforce allows them. They come from settings, and stand in queries. */
const FIELD_NAME = /^[A-Za-z][A-Za-z0-9_]{0,79}$/;

/** What a query selects. */
export interface SoqlQuery {
  readonly from: string;
  readonly fields: readonly string[];
  /** Queries of related records, as columns. Default: none. */
  readonly related?: readonly string[];
  /** Conditions that hold together. Default: none. */
  readonly where?: readonly string[];
  readonly orderBy?: readonly string[];
  readonly limit?: number;
}

/** Writes a query. @throws PermanentError if a field has a name that no field can have */
export function toSoql({ from, fields, related = [], where = [], orderBy = [], limit }: SoqlQuery): string {
  const wrong = fields.find(field => !FIELD_NAME.test(field));
  if (wrong !== undefined) throw new PermanentError(`Salesforce has no field "${wrong}": correct it in the settings.`);
  return [
    `SELECT ${[...new Set(fields), ...related].join(', ')} FROM ${from}`,
    ...(where.length > 0 ? [`WHERE ${where.join(' AND ')}`] : []),
    ...(orderBy.length > 0 ? [`ORDER BY ${orderBy.join(', ')}`] : []),
    ...(limit === undefined ? [] : [`LIMIT ${limit}`]),
  ].join(' ');
}

/** Writes a condition that a field has one of several texts. */
export function isOneOf(field: string, values: readonly string[]): string {
  return `${field} IN (${values.map(toLiteral).join(', ')})`;
}

/** Writes a text. */
export function toLiteral(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
