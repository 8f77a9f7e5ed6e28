import { Table } from '../ui/Table.tsx';
import type { Counts as CountsByOutcome } from './types.ts';
import { useSync } from './SyncContext.ts';

const COLUMNS = ['read', 'created', 'updated', 'unchanged', 'review', 'skipped', 'failed', 'deleted'] as const;

/** What became of the records of each kind, and of those that were compared with the CRM. */
export function Counts({
  counts,
  push,
}: {
  counts: Readonly<Record<string, CountsByOutcome>>;
  push: CountsByOutcome | null;
}) {
  const { words } = useSync();
  const { compared = 0, ...outcomes } = push ?? {};
  const written: CountsByOutcome = { read: compared, ...outcomes };
  const rows = [...Object.entries(counts), ...(push ? [['push', written] as const] : [])];
  return (
    <Table label={words.counts} head={[words.what, ...COLUMNS.map(column => words.column[column])]}>
      {rows.map(([object, own]) => (
        <tr key={object}>
          <th scope="row" className="font-medium whitespace-nowrap">
            {words.object[object] ?? object}
          </th>
          {COLUMNS.map(column => (
            <td key={column} className={own[column] ? 'num' : 'num text-quiet'}>
              {own[column] ?? ''}
            </td>
          ))}
        </tr>
      ))}
    </Table>
  );
}
