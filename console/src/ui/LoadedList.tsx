import type { ReactNode } from 'react';
import { w } from '../words/en.ts';
import { Button } from './Button.tsx';
import { ProblemNote } from './ProblemNote.tsx';
import { Skeleton } from './Skeleton.tsx';

/** The state of a query whose rows are listed. One that is read page by page has more to fetch. */
export interface ListState {
  readonly isPending: boolean;
  readonly isSuccess: boolean;
  readonly error: Error | null;
  readonly refetch: () => unknown;
  readonly hasNextPage?: boolean;
  readonly fetchNextPage?: () => unknown;
}

/** The rows of a list in each of its states: while they load, when that failed, without rows, and with more to fetch. */
export function LoadedList({
  list,
  isEmpty,
  empty,
  rows = 8,
  height,
  children,
}: {
  list: ListState;
  isEmpty: boolean;
  /** What stands where a list has no rows. */
  empty?: ReactNode;
  /** Number of rows to draw while the first page loads. Defaults to 8. */
  rows?: number;
  /** Height of such a row, in pixels. */
  height: number;
  children: ReactNode;
}) {
  return (
    <>
      {list.isPending && <Skeleton rows={rows} height={height} />}
      {list.error && (
        <div className="p-4">
          <ProblemNote error={list.error} onRetry={() => void list.refetch()} />
        </div>
      )}
      {list.isSuccess && isEmpty && empty}
      {children}
      {list.hasNextPage && (
        <Button look="quiet" className="m-3" onClick={() => void list.fetchNextPage?.()}>
          {w.more}
        </Button>
      )}
    </>
  );
}
