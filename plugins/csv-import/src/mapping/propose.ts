import { detectDateOrder, type DateOrder, hasNumericDates, parseDate } from './dates.js';
import { type Field, findAlias, REPEATABLE_FIELDS } from './fields.js';
import { cleanCell, splitValues, toHeaderKey } from './text.js';
import {
  CONTENT_TESTS,
  type DecimalSign,
  detectDecimalSign,
  isHonorific,
  parseBoolean,
  parseNumber,
} from './values.js';

/** What a column states, and why that is assumed. */
export interface ColumnProposal {
  /** Position, from 0. It tells columns of one name apart. */
  readonly index: number;
  readonly header: string;
  /** What the column states; null if it is not imported, or states a property of the user's own. */
  readonly field: Field | null;
  /** The property of the user's own that it states; null if it states none. */
  readonly property: string | null;
  /** From 0 to 1; 0 for a column that is not imported. */
  readonly confidence: number;
  /** Why, as a sentence for people. */
  readonly reason: string;
  /** The first cells that are not empty. */
  readonly examples: readonly string[];
}

/** How the cells of a file are understood. */
export interface MappingProposal {
  readonly columns: readonly ColumnProposal[];
  /** Null if the dates of the file do not tell it; then it must be chosen before such dates are imported. */
  readonly date_order: DateOrder;
  readonly decimal: DecimalSign;
  /** The file has dates whose order of day and month is unknown. */
  readonly has_ambiguous_dates: boolean;
}

const MAX_EXAMPLES = 3;
const MAX_EXAMPLE_LENGTH = 200;
/** Share of cells that must be what the field holds for the content to confirm, or to refuse, a header. */
const CONFIRMING_SHARE = 0.8;
const REFUSING_SHARE = 0.3;
/** A column without a known header needs this share to be recognised by content alone. */
const RECOGNISING_SHARE = 0.9;
const DATE_FIELDS: ReadonlySet<Field> = new Set(['observed_at', 'connected_on', 'note_date']);
const NUMBER_FIELDS: ReadonlySet<Field> = new Set(['lead_score', 'company_revenue']);
const BOOLEAN_FIELDS: ReadonlySet<Field> = new Set(['do_not_contact', 'unsubscribed']);
/** Fields that content alone can show. */
const RECOGNISABLE = ['email', 'linkedin_url', 'company_linkedin_url'] as const;
/** Header keys of links of any kind; what they lead to, only the cells show. */
const LINK_HEADERS: ReadonlySet<string> = new Set(['url', 'link', 'profileurl', 'profilelink']);

/** A column with its cells and the field that they suggest. */
interface Column {
  readonly index: number;
  readonly header: string;
  readonly cells: readonly string[];
  readonly field: Field | null;
  readonly confidence: number;
  readonly reason: string;
}

/**
 * Proposes what each column states: by the name of its header in ten languages, confirmed or refused by its cells. A
 * field that only one column can state goes to the best one; the others are listed without one.
 * @param rows cells of the rows of the sample
 */
export function proposeMapping(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  delimiter: string,
): MappingProposal {
  const columns = header.map((name, index) => {
    const cells = rows.map(row => cleanCell(row[index] ?? '')).filter(cell => cell !== '');
    return { index, header: name, cells, ...suggestField(name, cells) };
  });
  const best = new Map<Field, Column>();
  for (const column of columns) {
    if (column.field === null) continue;
    const known = best.get(column.field);
    if (!known || column.confidence > known.confidence) best.set(column.field, column);
  }
  const chosen = columns.map(column => settle(column, best));
  const inFields = (fields: ReadonlySet<Field>) =>
    chosen.flatMap((column, at) => (column.field !== null && fields.has(column.field) ? columns[at]!.cells : []));
  const dates = inFields(DATE_FIELDS);
  const date_order = detectDateOrder(dates);
  return {
    columns: chosen,
    date_order,
    decimal: detectDecimalSign(inFields(NUMBER_FIELDS), delimiter),
    has_ambiguous_dates: date_order === null && hasNumericDates(dates),
  };
}

function settle(column: Column, best: ReadonlyMap<Field, Column>): ColumnProposal {
  const { index, header, cells, field, confidence, reason } = column;
  const examples = cells.slice(0, MAX_EXAMPLES).map(cell => cell.slice(0, MAX_EXAMPLE_LENGTH));
  const winner = field === null ? undefined : best.get(field);
  if (winner && winner !== column && !REPEATABLE_FIELDS.has(field!)) {
    const taken = `Column ${winner.index + 1} ("${winner.header}") states ${field} already.`;
    return { index, header, field: null, property: null, confidence: 0, reason: taken, examples };
  }
  return { index, header, field, property: null, confidence: field === null ? 0 : confidence, reason, examples };
}

function suggestField(header: string, cells: readonly string[]): Pick<Column, 'field' | 'confidence' | 'reason'> {
  const alias = findAlias(toHeaderKey(header));
  if (!alias) return recognise(cells);
  const { field } = alias;
  const certainty = 1 - Math.min(alias.rank, 20) / 100;
  const share = computeShare(field, cells);
  if (share === undefined) {
    const reason = cells.length === 0 ? 'The header names it; the sample has no cells.' : 'The header names it.';
    return { field, confidence: round(certainty * (cells.length === 0 ? 0.7 : 0.85)), reason };
  }
  if (share >= CONFIRMING_SHARE) {
    return { field, confidence: round(certainty * 0.99), reason: 'The header names it, and the cells confirm it.' };
  }
  if (share >= REFUSING_SHARE) {
    return {
      field,
      confidence: round(certainty * share),
      reason: 'The header names it; some cells hold something else.',
    };
  }
  const recognised = recognise(cells);
  if (recognised.field !== null) return recognised;
  if (LINK_HEADERS.has(toHeaderKey(header)) && computeShare('company_domain', cells)! >= RECOGNISING_SHARE) {
    return { field: 'company_domain', confidence: 0.6, reason: 'The cells are addresses of websites.' };
  }
  return { field: null, confidence: 0, reason: `The header names ${field}, but the cells hold something else.` };
}

function recognise(cells: readonly string[]): Pick<Column, 'field' | 'confidence' | 'reason'> {
  if (cells.length > 0) {
    const field = RECOGNISABLE.find(each => computeShare(each, cells)! >= RECOGNISING_SHARE);
    if (field) return { field, confidence: 0.75, reason: 'The cells show it; the header is unknown.' };
  }
  return { field: null, confidence: 0, reason: 'The header is unknown.' };
}

/** Returns the share of cells that are what the field holds; undefined if any text is, or there are no cells. */
function computeShare(field: Field, cells: readonly string[]): number | undefined {
  const test = findTest(field);
  if (!test || cells.length === 0) return undefined;
  return cells.filter(cell => splitValues(cell).some(test)).length / cells.length;
}

function findTest(field: Field): ((cell: string) => boolean) | undefined {
  if (field in CONTENT_TESTS) return CONTENT_TESTS[field as keyof typeof CONTENT_TESTS];
  if (field === 'title') return cell => !isHonorific(cell);
  if (DATE_FIELDS.has(field)) return isDateLike;
  if (BOOLEAN_FIELDS.has(field)) return cell => parseBoolean(cell) !== undefined;
  if (field === 'lead_score') return cell => (parseNumber(cell, '.') ?? parseNumber(cell, ',')) !== undefined;
  return undefined;
}

function isDateLike(cell: string): boolean {
  const date = parseDate(cell, null);
  return 'iso' in date || date.problem === 'unknown_order' || 'iso' in parseDate(cell, 'month_first');
}

function round(confidence: number): number {
  return Math.round(confidence * 100) / 100;
}
