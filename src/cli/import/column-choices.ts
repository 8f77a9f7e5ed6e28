import { CliError } from '../base/errors.js';
import type { PreviewColumn } from './import-api.js';

/** What the user maps a column to. */
export interface ColumnChoice {
  readonly index: number;
  /** Null leaves the column out. */
  readonly field: string | null;
}

const FIELD_PATTERN = /^[a-z][a-z0-9_.-]{0,79}$/;
const NUMBERED = /^#([1-9]\d{0,2})$/;

/**
 * Reads the options `--map`: `Header=field`, or `#3=field` for the third column; without a field the column is left out.
 * @throws CliError for a column that the file does not have, or a header that several columns have
 */
export function readColumnChoices(given: readonly string[], columns: readonly PreviewColumn[]): ColumnChoice[] {
  return given.map(text => {
    const { header, field } = parseChoice(text);
    return { index: findColumn(header, columns).index, field: field === '' ? null : field };
  });
}

/** Returns the columns with what the user chose. A field that is chosen for one column is taken from another, unless it can stand in several. */
export function applyChoices(columns: readonly PreviewColumn[], choices: readonly ColumnChoice[]): PreviewColumn[] {
  const chosen = new Map(choices.map(({ index, field }) => [index, field]));
  const taken = new Set(choices.map(({ field }) => field).filter(field => field !== null));
  return columns.map(column => {
    const field = chosen.get(column.index);
    if (field !== undefined) return { ...column, field, reason: 'Given by --map.' };
    return column.field !== null && taken.has(column.field) && !column.repeatable
      ? { ...column, field: null, reason: 'Another column is mapped to this field.' }
      : column;
  });
}

function parseChoice(text: string): { header: string; field: string } {
  const at = text.lastIndexOf('=');
  const header = text.slice(0, at).trim();
  const field = text.slice(at + 1).trim();
  if (at > 0 && (field === '' || FIELD_PATTERN.test(field))) return { header, field };
  throw CliError.usage(
    `"${text}" is not a mapping.`,
    'Write "Header=field", such as "Job=title"; "Header=" leaves it out.',
  );
}

function findColumn(header: string, columns: readonly PreviewColumn[]): PreviewColumn {
  const place = NUMBERED.exec(header)?.[1];
  const found = columns.filter(column =>
    place === undefined ? column.header.trim() === header : column.index === Number(place) - 1,
  );
  const [column] = found;
  if (!column) {
    const headers = columns.map(each => each.header).join(', ');
    throw CliError.usage(`The file has no column "${header}".`, `Its columns: ${headers}.`);
  }
  if (found.length > 1) {
    const numbers = found.map(({ index }) => `#${index + 1}`).join(' or ');
    throw CliError.usage(`Several columns are called "${header}".`, `Name the column by its number: ${numbers}.`);
  }
  return column;
}
