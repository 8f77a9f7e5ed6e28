import { Download } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { w } from '../words/en.ts';
import { cn } from './cn.ts';
import { toCsv } from './csv.ts';
import { saveFile } from './saveFile.ts';

/** A table. It scrolls sideways where it is wider than the page, and its rows can be saved as a file. */
export function Table({
  label,
  head,
  even = false,
  children,
}: {
  label: string;
  head: readonly string[];
  /** Whether all columns are equally wide, so that those of several tables align. Defaults to false. */
  even?: boolean;
  children: ReactNode;
}) {
  const table = useRef<HTMLTableElement>(null);
  const save = () => table.current && saveFile(new Blob([toCsv(readRows(table.current))]), `${label}.csv`);
  return (
    <div>
      <div className="overflow-x-auto rounded-md border border-line" tabIndex={0} role="region" aria-label={label}>
        <table ref={table} className={cn('w-full text-left', even && 'sm:table-fixed')}>
          <thead className="bg-panel text-xs text-quiet">
            <tr>
              {head.map(title => (
                <th key={title} scope="col" className="h-8 px-3 font-normal whitespace-nowrap">
                  {title || <span className="sr-only">Actions</span>}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="[&_:is(td,th)]:h-11 [&_:is(td,th)]:border-t [&_:is(td,th)]:border-line [&_:is(td,th)]:px-3">
            {children}
          </tbody>
        </table>
      </div>
      <div className="flex justify-end">
        <button
          type="button"
          onClick={save}
          title={w.saveTableHint}
          className="soft inline-flex h-7 items-center gap-1.5 rounded-md px-2 text-xs text-quiet hover:text-ink max-md:h-11"
        >
          <Download className="size-3" aria-hidden="true" />
          {w.saveTable}
        </button>
      </div>
    </div>
  );
}

/** Returns the texts of a table, with exact times, and without the column of actions. */
function readRows(table: HTMLTableElement): string[][] {
  const [head, ...rows] = [...table.rows].map(row => [...row.cells]);
  const shown = (head ?? []).map(cell => cell.querySelector('.sr-only') === null);
  return [head ?? [], ...rows].map(cells => cells.filter((_, index) => shown[index] !== false).map(readCell));
}

function readCell(cell: HTMLElement): string {
  const time = cell.querySelector('time');
  return time ? time.dateTime : cell.innerText.trim();
}
