import { useLocation, useNavigate } from '@tanstack/react-router';
import {
  type ComponentType,
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { usePages } from '../api/pages.ts';
import { useWorkspace } from '../api/workspace.tsx';
import { cn } from '../ui/cn.ts';
import { useShortcuts } from '../ui/shortcuts.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { saveFile } from '../ui/saveFile.ts';
import { Skeleton } from '../ui/Skeleton.tsx';
import { w } from '../words/en.ts';
import { ColumnChooser } from './ColumnChooser.tsx';
import { addFields, chooseColumns, readColumns } from './columns.tsx';
import { type Column, DataGrid } from './DataGrid.tsx';
import { ExportButton } from './ExportButton.tsx';
import { type LoadCsv, loadTicked } from './exportRows.ts';
import { FilterChips, RemovableChip } from './FilterChips.tsx';
import { areListsPaged } from './paging.ts';
import { useSelection } from './selection.ts';
import { SortMenu } from './SortMenu.tsx';
import { storeList } from './storedList.ts';
import { type ListSearch, toFilter } from './search.ts';
import { type View, ViewActions, ViewTabs } from './ViewBar.tsx';
import type { ViewResource } from './views.ts';

const Peek = lazy(() => import('./Peek.tsx'));
const SelectionBar = lazy(() => import('./SelectionBar.tsx'));

const PAGE_ROWS = 100;
const TYPING_MS = 200;

/** What a list asks the API for. */
export interface ListRequest {
  readonly limit: number;
  readonly cursor: string | undefined;
  readonly count: 'estimate' | undefined;
  readonly sort: string | undefined;
  readonly search: string | undefined;
  readonly filter: string | undefined;
  /** Fields that the columns show. */
  readonly columns: readonly string[];
}

/** A page of rows. */
export interface ListPageResponse<Row> {
  readonly rows: readonly Row[];
  readonly next_cursor: string | null;
  readonly count?: number | undefined;
  readonly count_is?: 'exact' | 'at_least' | undefined;
}

/** What further controls of a list are given. */
export interface ListControlsProps<Row> {
  readonly rows: readonly Row[];
  readonly search: ListSearch;
}

interface ListPageProps<Row> {
  /** Name of the list in the address and in stored queries. */
  readonly resource: ViewResource;
  readonly search: ListSearch;
  readonly columns: readonly Column<Row>[];
  readonly views: readonly View[];
  /** Fields of a row that filters and sorts offer beside the properties. */
  readonly fields: readonly string[];
  readonly load: (request: ListRequest, signal: AbortSignal) => Promise<ListPageResponse<Row>>;
  /** Loads the rows as CSV. */
  readonly loadCsv: LoadCsv;
  /** Field of the API that has the identifier of a row. */
  readonly idField: string;
  /** Identifier of a row. */
  readonly idOf: (row: Row) => string;
  /** Identifier of the account that a row opens. */
  readonly accountOf: (row: Row) => string;
  /** Further controls in the head of the list. */
  readonly controls?: ComponentType<ListControlsProps<Row>>;
  /** How a list without rows and without conditions is filled. */
  readonly empty: ReactNode;
}

/** A list of the graph with its views, conditions and search. The address holds the whole state. */
export function ListPage<Row extends object>(props: ListPageProps<Row>) {
  const { resource, search, columns: own, views, fields, load, idOf, accountOf, controls: Controls, empty } = props;
  const { loadCsv, idField } = props;
  const { workspace } = useWorkspace();
  const go = useNavigate();
  const { href } = useLocation();
  const searchBox = useRef<HTMLInputElement>(null);
  const chips = search.chips ?? [];
  const chosen = readColumns(search.columns);
  const columns = chooseColumns(own, chosen);
  const list = usePages({
    queryKey: [workspace.id, resource, search],
    load: (cursor, signal) =>
      load(
        {
          limit: PAGE_ROWS,
          cursor,
          count: cursor === undefined ? 'estimate' : undefined,
          sort: search.sort,
          search: search.q,
          filter: toFilter(chips, search.filter),
          columns: chosen ?? [],
        },
        signal,
      ),
    next: page => page.next_cursor,
  });
  const rows = useMemo(() => list.data?.pages.flatMap(page => page.rows) ?? [], [list.data]);
  const [first] = list.data?.pages ?? [];
  // Above 10,000 the hub only says that there are more: then nobody is told a number of rows.
  const total = first?.count_is === 'at_least' ? undefined : first?.count;
  const describeCount = (count: number) => {
    const counted = w.counted[resource](count);
    return total === undefined ? w.moreThan(counted) : counted;
  };
  const selection = useSelection(JSON.stringify(search));
  const [peeked, peek] = useState<string>();
  const exported = {
    sort: search.sort,
    search: search.q,
    filter: toFilter(chips, search.filter),
    fields: addFields(
      idField,
      columns.map(({ id }) => id),
    ),
  };
  const saveAs = async (csv: Promise<Blob>) => saveFile(await csv, `${resource}.csv`);
  const { fetchNextPage } = list;
  const more = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  const set = useCallback(
    (change: ListSearch) =>
      void go({ to: '.', search: ((before: ListSearch) => ({ ...before, ...change })) as never, replace: true }),
    [go],
  );
  const focusSearch = useCallback(() => searchBox.current?.focus(), []);
  useShortcuts(useMemo(() => ({ '/': focusSearch }), [focusSearch]));
  const isFiltered = chips.length > 0 || search.q !== undefined || search.filter !== undefined;
  const viewProps = { resource, search, views, onChange: set };
  function openRow(row: Row) {
    storeList({ href, ids: rows.map(accountOf) });
    void go({ to: '/w/$workspace/accounts/$id', params: { workspace: workspace.id, id: accountOf(row) } });
  }
  return (
    <div className="flex h-full flex-col">
      <title>{`${w.nav[resource]} · ${workspace.name}`}</title>
      <header className="space-y-2.5 px-4 pt-4 pb-2.5">
        <div className="flex items-baseline gap-3">
          <h1 className="text-lg font-semibold">{w.nav[resource]}</h1>
          <span className="num text-quiet" aria-live="polite">
            {first?.count !== undefined && describeCount(first.count)}
          </span>
        </div>
        <div className="flex flex-wrap items-center gap-1.5">
          <ViewTabs {...viewProps} />
          {Controls && <Controls rows={rows} search={search} />}
          <FilterChips
            chips={chips}
            resource={resource}
            fields={fields}
            onChange={next => set({ chips: next.length > 0 ? next : undefined })}
          />
          {search.filter !== undefined && (
            <RemovableChip
              sentence={w.savedViews.further}
              title={search.filter}
              onRemove={() => set({ filter: undefined })}
            />
          )}
          <SortMenu resource={resource} fields={fields} sort={search.sort} onSort={sort => set({ sort })} />
          <ColumnChooser
            own={own}
            resource={resource}
            shown={columns.map(({ id }) => id)}
            onChange={next => set({ columns: next?.join(',') })}
          />
          <ViewActions {...viewProps} />
          <ExportButton onExport={() => saveAs(loadCsv(exported))} />
          <SearchBox box={searchBox} label={w.searchIn[resource]} value={search.q ?? ''} onSearch={q => set({ q })} />
        </div>
      </header>
      <div
        className={cn('grid min-h-0 flex-1', peeked !== undefined && 'lg:grid-cols-[minmax(0,1fr)_minmax(340px,30%)]')}
      >
        <DataGrid
          label={w.nav[resource]}
          columns={columns}
          rows={rows}
          idOf={idOf}
          total={total}
          isBusy={list.isFetching}
          // After a failed page, the button of the error asks again: scrolling would ask without end.
          hasMore={list.hasNextPage && !list.isFetchNextPageError}
          onMore={more}
          sort={search.sort}
          onSort={sort => set({ sort })}
          onOpen={openRow}
          onSearch={focusSearch}
          selection={selection}
          onPeek={row => peek(row && accountOf(row))}
          isPeeking={peeked !== undefined}
          isPaged={areListsPaged()}
        >
          {list.isPending && <Skeleton rows={14} />}
          {list.error && (
            <div className="p-4">
              <ProblemNote error={list.error} onRetry={() => void list.refetch()} />
            </div>
          )}
          {list.isSuccess &&
            rows.length === 0 &&
            (isFiltered ? (
              <NoMatch onClear={() => set({ chips: undefined, q: undefined, filter: undefined })} />
            ) : (
              empty
            ))}
        </DataGrid>
        <Suspense>{peeked !== undefined && <Peek id={peeked} onClose={() => peek(undefined)} />}</Suspense>
      </div>
      <Suspense>
        {selection.ids.size > 0 && (
          <SelectionBar
            count={selection.ids.size}
            contacts={
              resource === 'companies' ? undefined : rows.filter(row => selection.ids.has(idOf(row))).map(accountOf)
            }
            onExport={() => saveAs(loadTicked(loadCsv, exported, idField, [...selection.ids]))}
            onClear={selection.clear}
          />
        )}
      </Suspense>
    </div>
  );
}

function NoMatch({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState title={w.noMatch.title} text={w.noMatch.text}>
      <button type="button" onClick={onClear} className="font-medium text-accent underline underline-offset-2">
        {w.noMatch.clear}
      </button>
    </EmptyState>
  );
}

/** Searches a moment after the last key, so that a word costs one request. */
function SearchBox({
  box,
  label,
  value,
  onSearch,
}: {
  box: React.RefObject<HTMLInputElement | null>;
  label: string;
  value: string;
  onSearch: (q: string | undefined) => void;
}) {
  const [typed, setTyped] = useState(value);
  const [applied, setApplied] = useState(value);
  if (applied !== value) {
    // The address has changed, for example by the back button.
    setApplied(value);
    setTyped(value);
  }
  useEffect(() => {
    if (typed === value) return;
    const timer = setTimeout(() => onSearch(typed || undefined), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed, value, onSearch]);
  return (
    <input
      ref={box}
      type="search"
      aria-label={label}
      placeholder={`${label}  /`}
      value={typed}
      onChange={event => setTyped(event.target.value)}
      className="h-7 w-full rounded-md border border-line-strong bg-paper px-2.5 text-xs placeholder:text-quiet max-md:h-11 md:ml-auto md:w-60"
    />
  );
}
