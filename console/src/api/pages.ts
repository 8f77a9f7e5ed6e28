import {
  type InfiniteData,
  type QueryKey,
  useInfiniteQuery,
  type UseInfiniteQueryOptions,
} from '@tanstack/react-query';

type Cursor = string | undefined;
type Options<Page> = UseInfiniteQueryOptions<Page, Error, InfiniteData<Page, Cursor>, QueryKey, Cursor>;

/** How a list is read: how a page is loaded, and where the next one begins. */
export interface PagesOptions<Page> extends Pick<
  Options<Page>,
  'queryKey' | 'enabled' | 'refetchInterval' | 'placeholderData'
> {
  /** Loads a page: the first one without a cursor. */
  readonly load: (cursor: Cursor, signal: AbortSignal) => Promise<Page>;
  /** Returns the cursor of the page after this one, if there is one. */
  readonly next: (page: Page) => string | null | undefined;
}

/** Reads a list page by page. */
export function usePages<Page>({ load, next, ...options }: PagesOptions<Page>) {
  return useInfiniteQuery({
    ...options,
    initialPageParam: undefined as Cursor,
    queryFn: ({ pageParam, signal }) => load(pageParam, signal),
    getNextPageParam: page => next(page) ?? undefined,
  });
}
