import { ClaimCell } from '../knowledge/ClaimCell.tsx';
import type { Epistemics } from '../knowledge/types.ts';
import { toLabel } from '../words/en.ts';
import { toText } from '../words/text.ts';
import type { Column } from './DataGrid.tsx';

/** Reads the columns of an address; undefined for those of the page. */
export function readColumns(columns: string | undefined): readonly string[] | undefined {
  const ids = columns?.split(',').filter(id => id !== '');
  return ids?.length ? [...new Set(ids)] : undefined;
}

/** Returns the columns that a list shows: those of the page by ID, and one for each other property. */
export function chooseColumns<Row extends object>(
  own: readonly Column<Row>[],
  ids: readonly string[] | undefined,
): readonly Column<Row>[] {
  return ids?.map(id => own.find(column => column.id === id) ?? toPropertyColumn(id)) ?? own;
}

/** Returns the fields to load for columns, beside those that the page loads anyway. */
export function addFields(fields: string, columns: readonly string[]): string {
  return [...new Set([...fields.split(','), ...columns])].join(',');
}

/** Names a property as the head of a column does. */
export function toTitle(property: string): string {
  const label = toLabel(property);
  return label.charAt(0).toUpperCase() + label.slice(1);
}

function toPropertyColumn<Row extends object>(property: string): Column<Row> {
  return {
    id: property,
    title: toTitle(property),
    track: 'minmax(130px,1fr)',
    sort: property,
    isWideOnly: true,
    cell: row => <PropertyCell row={row} property={property} />,
  };
}

interface PropertyRow {
  readonly [property: string]: unknown;
  readonly epistemics?: Readonly<Record<string, Epistemics>>;
}

function PropertyCell({ row, property }: { row: object; property: string }) {
  const { [property]: value, epistemics } = row as PropertyRow;
  return <ClaimCell value={value == null ? null : toText(value)} known={epistemics?.[property]} />;
}
