import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Button } from '../ui/Button.tsx';
import { cn } from '../ui/cn.ts';
import { w } from '../words/en.ts';
import type { Selection } from './selection.ts';

const ROW_PX = 36;
const OVERSCAN = 12;
/** How many rows before the end the next page is loaded. */
const AHEAD = 30;
const PAGE_KEY_ROWS = 15;
/** The column of the ticks. */
const TICK_TRACK = '28px';

/** A column of a grid. */
export interface Column<Row> {
  readonly id: string;
  readonly title: string;
  /** Width as a track of a CSS grid. */
  readonly track: string;
  /** Name of the field that the API sorts by; undefined if it cannot. */
  readonly sort?: string;
  /** Whether the first click shows the largest values first. */
  readonly isDescendingFirst?: boolean;
  /** Whether narrow screens leave the column out. */
  readonly isWideOnly?: boolean;
  readonly cell: (row: Row) => ReactNode;
}

interface GridProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly idOf: (row: Row) => string;
  /** Number of all rows; undefined while it is not known. */
  readonly total: number | undefined;
  readonly isBusy: boolean;
  readonly hasMore: boolean;
  readonly onMore: () => void;
  readonly sort: string | undefined;
  readonly onSort: (sort: string | undefined) => void;
  readonly onOpen: (row: Row) => void;
  readonly selection: Selection;
  /** Shows a row beside the list; undefined shows none any more. */
  readonly onPeek: (row: Row | undefined) => void;
  /** The row that is shown beside the list; it follows the keys. */
  readonly isPeeking: boolean;
  /** Whether more rows come by a button instead of by scrolling. */
  readonly isPaged: boolean;
  /** Focuses the search of the page. */
  readonly onSearch: () => void;
  /** What stands below the rows: a problem, or the text of an empty list. */
  readonly children?: ReactNode;
}

/**
 * A list of rows of which only the visible ones are in the page. One tab stop: arrows, J and K move, Enter opens, Space shows
 * the row beside the list, X ticks it, and Shift X all from the one that was ticked last. Screen readers hear the position
 * among all rows.
 */
export function DataGrid<Row>(props: GridProps<Row>) {
  const { label, columns, rows, idOf, total, isBusy, hasMore, onMore, sort, onSort, onOpen, onSearch } = props;
  const { selection, onPeek, isPeeking, isPaged } = props;
  const grid = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(0);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    scrollPaddingStart: ROW_PX,
  });
  const visible = virtual.getVirtualItems();
  const last = visible.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && !isPaged && !isBusy && last > rows.length - AHEAD) onMore();
  }, [hasMore, isPaged, isBusy, last, rows.length, onMore]);

  function move(step: number) {
    const next = Math.max(0, Math.min(rows.length - 1, active + step));
    setActive(next);
    virtual.scrollToIndex(next);
    if (isPeeking && rows[next]) onPeek(rows[next]);
  }
  function onKey(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const steps: Readonly<Record<string, number>> = {
      j: 1,
      ArrowDown: 1,
      k: -1,
      ArrowUp: -1,
      PageDown: PAGE_KEY_ROWS,
      PageUp: -PAGE_KEY_ROWS,
      Home: -rows.length,
      End: rows.length,
    };
    const step = steps[event.key];
    const row = rows[active];
    if (step !== undefined) move(step);
    else if (event.key === 'Enter' && row) onOpen(row);
    else if (event.key === ' ' && row) onPeek(isPeeking ? undefined : row);
    else if (event.key === 'x' && row) selection.toggle(idOf(row));
    else if (event.key === 'X' && row) selection.extendTo(idOf(row), rows.map(idOf));
    else if (event.key === 'Escape' && isPeeking) onPeek(undefined);
    else if (event.key === 'Escape' && selection.ids.size > 0) selection.clear();
    else if (event.key === '/') onSearch();
    else return;
    event.preventDefault();
  }

  const wide = [TICK_TRACK, ...columns.map(({ track }) => track)].join(' ');
  const narrow = [TICK_TRACK, ...columns.filter(({ isWideOnly }) => !isWideOnly).map(({ track }) => track)].join(' ');
  const style = { '--wide': wide, '--narrow': narrow } as React.CSSProperties;
  const line = 'grid [grid-template-columns:var(--narrow)] md:[grid-template-columns:var(--wide)] px-4';
  const cellOf = ({ isWideOnly }: Column<Row>) =>
    cn('min-w-0 items-center pr-4', isWideOnly ? 'hidden md:flex' : 'flex');
  const activeRow = rows[active];
  return (
    <div ref={scroller} className="flex min-h-0 flex-1 flex-col overflow-auto border-t border-line">
      <div
        role="grid"
        aria-label={label}
        aria-rowcount={(total ?? (hasMore ? -2 : rows.length)) + 1}
        aria-busy={isBusy}
        aria-multiselectable="true"
        aria-activedescendant={
          activeRow && visible.some(({ index }) => index === active) ? `${grid}-${active}` : undefined
        }
        tabIndex={0}
        onKeyDown={onKey}
        style={style}
        className="min-w-full shrink-0 -outline-offset-2"
      >
        <div
          role="row"
          aria-rowindex={1}
          className={cn(line, 'sticky top-0 z-10 h-8 border-b border-line bg-panel text-xs text-quiet')}
        >
          <div role="columnheader" className="flex items-center">
            <input
              type="checkbox"
              tabIndex={-1}
              aria-label={w.tickAll}
              checked={rows.length > 0 && rows.every(row => selection.ids.has(idOf(row)))}
              onChange={() => selection.toggleAll(rows.map(idOf))}
              className="size-3.5 accent-accent"
            />
          </div>
          {columns.map(column => (
            <div key={column.id} role="columnheader" aria-sort={sortState(column, sort)} className={cellOf(column)}>
              {column.sort === undefined ? (
                column.title
              ) : (
                <button
                  type="button"
                  tabIndex={-1}
                  onClick={() => onSort(nextSort(column, sort))}
                  className="inline-flex h-full items-center gap-1 hover:text-ink"
                >
                  {column.title}
                  {sortState(column, sort) === 'ascending' && <ArrowUp className="size-3" aria-hidden="true" />}
                  {sortState(column, sort) === 'descending' && <ArrowDown className="size-3" aria-hidden="true" />}
                </button>
              )}
            </div>
          ))}
        </div>
        <div role="rowgroup" className="relative" style={{ height: virtual.getTotalSize() }}>
          {visible.map(({ index, start }) => {
            const row = rows[index]!;
            return (
              <div
                key={idOf(row)}
                id={`${grid}-${index}`}
                role="row"
                aria-rowindex={index + 2}
                // While nothing is ticked, the row that the keys are at is the one that is meant.
                aria-selected={selection.ids.size > 0 ? selection.ids.has(idOf(row)) : index === active}
                onClick={() => {
                  setActive(index);
                  onOpen(row);
                }}
                className={cn(
                  line,
                  'absolute inset-x-0 h-9 cursor-pointer border-b border-line',
                  index === active ? 'bg-accent-soft' : 'hover:bg-panel',
                )}
                style={{ transform: `translateY(${start}px)` }}
              >
                <div role="gridcell" className="flex items-center">
                  <input
                    type="checkbox"
                    tabIndex={-1}
                    aria-label={w.tickRow}
                    checked={selection.ids.has(idOf(row))}
                    onClick={event => {
                      event.stopPropagation();
                      // The keys of the list go on from the row that was ticked.
                      event.currentTarget.closest<HTMLElement>('[role=grid]')?.focus();
                      setActive(index);
                      if (event.shiftKey) selection.extendTo(idOf(row), rows.map(idOf));
                      else selection.toggle(idOf(row));
                    }}
                    readOnly
                    className="size-3.5 accent-accent max-md:size-5"
                  />
                </div>
                {columns.map(column => (
                  <div key={column.id} role="gridcell" className={cn(cellOf(column), '[&>*]:w-full')}>
                    {column.cell(row)}
                  </div>
                ))}
              </div>
            );
          })}
        </div>
      </div>
      {isPaged && hasMore && (
        <div className="sticky left-0 p-4">
          <Button disabled={isBusy} onClick={onMore}>
            {w.more}
          </Button>
        </div>
      )}
      {props.children}
    </div>
  );
}

function sortState<Row>(column: Column<Row>, sort: string | undefined): 'ascending' | 'descending' | 'none' {
  if (column.sort === undefined || sort === undefined) return 'none';
  if (sort === column.sort) return 'ascending';
  return sort === `-${column.sort}` ? 'descending' : 'none';
}

/** Each click goes on: one direction, the other one, and the order of the list itself. */
function nextSort<Row>(column: Column<Row>, sort: string | undefined): string | undefined {
  const both = [column.sort!, `-${column.sort!}`];
  const order = column.isDescendingFirst ? both.toReversed() : both;
  const index = sort === undefined ? -1 : order.indexOf(sort);
  return order[index + 1];
}
