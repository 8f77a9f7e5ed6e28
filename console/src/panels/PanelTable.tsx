import type { ReactNode } from 'react';
import { Table } from '../ui/Table.tsx';
import { panelWords } from '../words/panels.ts';
import { toText } from '../words/text.ts';
import { ago } from '../words/when.ts';
import { type PanelColumn, type TableData, toSafeLink } from './panelData.ts';

const number = new Intl.NumberFormat('en');

/** The table of a panel. */
export function PanelTable({ title, table: { columns, rows } }: { title: string; table: TableData }) {
  if (rows.length === 0) return <p className="text-quiet">{panelWords.none}</p>;
  // Rows have no identifier, and come as a whole.
  const numbered = rows.map((row, index) => ({ row, number: index }));
  return (
    <Table label={title} head={columns.map(({ label }) => label)}>
      {numbered.map(({ row, number: key }) => (
        <tr key={key}>
          {columns.map(column => (
            <td key={column.key}>{toCell(column, row[column.key])}</td>
          ))}
        </tr>
      ))}
    </Table>
  );
}

function toCell({ type }: PanelColumn, value: unknown): ReactNode {
  if (type === 'time' && typeof value === 'string' && !Number.isNaN(Date.parse(value)))
    return (
      <time dateTime={value} title={value} className="num whitespace-nowrap">
        {ago(value)}
      </time>
    );
  if (type === 'number' && typeof value === 'number') return <span className="num">{number.format(value)}</span>;
  const link = type === 'link' ? toSafeLink(value) : undefined;
  if (link !== undefined)
    return (
      <a href={link} rel="noreferrer noopener" target="_blank" className="text-accent underline underline-offset-2">
        {new URL(link).host}
      </a>
    );
  return toText(value);
}
