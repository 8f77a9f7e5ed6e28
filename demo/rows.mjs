import { createReadStream } from 'node:fs';
import { parse } from 'csv-parse';

/** Who says so, and how it was captured. `csv` is a family of the trust table: reported, reliability 0.6. */
export const SOURCE = 'csv:people-1000';
const METHOD = 'import';

/**
 * @typedef {object} Row
 * @property {number} line of the file, where the heading is line 1
 * @property {string} id `unique_id` of the file
 * @property {string} email the cell as it stands, which may be empty or broken
 * @property {Readonly<Record<string, string>>} facts what the row states, by property; empty cells are left out
 */

/**
 * Reads the rows of the file one after another. No cell of it breaks over lines.
 * @param {string | URL} file
 * @param {number} limit most rows to read
 * @returns {AsyncGenerator<Row>}
 */
export async function* readRows(file, limit = Infinity) {
  let line = 1;
  for await (const cells of createReadStream(file).pipe(parse({ columns: true, bom: true }))) {
    yield rowOf(cells, ++line);
    if (line > limit) return;
  }
}

/**
 * @param {Readonly<Record<string, string>>} cells one line of the file, by column
 * @param {number} line
 * @returns {Row}
 */
export function rowOf(cells, line) {
  const first = cells.first_name.trim();
  const last = cells.surname.trim();
  const facts = {
    first_name: first,
    last_name: last,
    // A first name alone would only contradict the full name that another row gives.
    name: first && last ? `${first} ${last}` : '',
    birth_date: cells.dob.trim(),
    city: cells.city.trim(),
  };
  const stated = Object.entries(facts).filter(([, value]) => value !== '');
  return { line, id: cells.unique_id, email: cells.email.trim(), facts: Object.fromEntries(stated) };
}

/**
 * Whom a row is about. Without an `@` an address might pass for the domain of a company; `mailto:` says that a
 * mailbox is meant. An empty cell stays empty: that it names nobody is for the API to say.
 * @param {Pick<Row, 'email'>} row
 */
export function focusOf({ email }) {
  return email === '' || email.includes('@') ? email : `mailto:${email}`;
}

/**
 * What is recorded for a row. The external id makes a second run change nothing.
 * @param {Pick<Row, 'id' | 'facts'>} row
 */
export function observationsOf({ id, facts }) {
  const shared = { kind: 'state', source: SOURCE, method: METHOD, external_id: `people-1000:${id}` };
  return Object.entries(facts).map(([property, value]) => ({ ...shared, property, value }));
}
