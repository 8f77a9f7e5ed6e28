import type { ReactNode } from 'react';
import { cn } from './cn.ts';

/** A table. It scrolls sideways where it is wider than the page. */
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
  return (
    <div className="overflow-x-auto rounded-md border border-line" tabIndex={0} role="region" aria-label={label}>
      <table className={cn('w-full text-left', even && 'sm:table-fixed')}>
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
  );
}
