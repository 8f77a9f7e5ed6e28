import { getRouteApi } from '@tanstack/react-router';
import { useCallback } from 'react';
import { bodyOf } from '../api/client.ts';
import type { Schemas } from '../api/schemas.ts';
import { useWorkspace } from '../api/workspace.tsx';
import { ClaimCell } from '../knowledge/ClaimCell.tsx';
import { Unknown } from '../knowledge/marks.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { w } from '../words/en.ts';
import { TimeCell } from './cells.tsx';
import type { Column } from './DataGrid.tsx';
import { addFields } from './columns.tsx';
import { ListChoice } from './ListChoice.tsx';
import type { ExportRequest } from './exportRows.ts';
import { ListPage, type ListRequest } from './ListPage.tsx';
import type { View } from './ViewBar.tsx';

type Lead = Schemas['Lead'];

const FIELDS = 'lead_id,contact_id,name,email,title,company,account,priority,play,layers,list_name,added_at';
const ROW_FIELDS = ['play', 'priority', 'reply_outcome', 'step', 'list_name'];
const LAYERS = ['fit', 'pain', 'intent', 'ability'] as const;

const COLUMNS: readonly Column<Lead>[] = [
  {
    id: 'name',
    title: w.column.name,
    track: 'minmax(130px,1.1fr)',
    sort: 'name',
    cell: ({ name, email }) => <span className="truncate font-medium">{name ?? email ?? <Unknown />}</span>,
  },
  {
    id: 'priority',
    title: w.column.priority,
    track: '120px',
    sort: 'priority',
    isDescendingFirst: true,
    cell: ({ priority }) => <Priority value={priority} />,
  },
  {
    id: 'play',
    title: w.column.play,
    track: '96px',
    sort: 'play',
    isWideOnly: true,
    cell: ({ play }) => (play === null ? <Unknown /> : <span className="truncate">{play}</span>),
  },
  {
    id: 'layers',
    title: w.column.layers,
    track: '160px',
    isWideOnly: true,
    cell: ({ layers }) => (layers ? <Layers layers={layers} /> : <Unknown />),
  },
  {
    id: 'title',
    title: w.column.title,
    track: 'minmax(150px,1.5fr)',
    sort: 'title',
    isWideOnly: true,
    cell: ({ title, epistemics }) => <ClaimCell value={title} known={epistemics?.['title']} />,
  },
  {
    id: 'company',
    title: w.column.company,
    track: 'minmax(140px,1.2fr)',
    sort: 'company',
    isWideOnly: true,
    cell: ({ account, company, epistemics }) => (
      <ClaimCell value={account?.name ?? company} known={epistemics?.['company']} />
    ),
  },
  {
    id: 'list_name',
    title: w.column.list,
    track: 'minmax(100px,0.8fr)',
    isWideOnly: true,
    cell: ({ list_name }) => <span className="truncate text-quiet">{list_name}</span>,
  },
  {
    id: 'added_at',
    title: w.column.added,
    track: '96px',
    isWideOnly: true,
    cell: ({ added_at }) => <TimeCell at={added_at} />,
  },
];

const PLAYS = [
  [w.view.workNow, 'work now'],
  [w.view.nurture, 'nurture'],
  [w.view.research, 'research'],
  [w.view.enrich, 'enrich'],
  [w.view.suppress, 'suppress'],
] as const;

const VIEWS: readonly View[] = [
  { name: w.view.all, chips: [] },
  ...PLAYS.map(([name, value]) => ({ name, chips: [{ property: 'play', condition: 'is' as const, value }] })),
];

const route = getRouteApi('/w/$workspace/leads');

/** The leads of the workspace, by list, with their score. */
export function LeadsPage() {
  const { hub } = useWorkspace();
  const search = route.useSearch();
  const { list } = search;
  const load = useCallback(
    async ({ sort = '-priority', columns, ...request }: ListRequest, signal: AbortSignal) => {
      const fields = addFields(FIELDS, columns);
      const query = { ...request, sort, fields, include: 'epistemics' as const, list_id: list };
      const { leads, next_cursor, count, count_is } = bodyOf(await hub.GET('/v2/leads', { signal, params: { query } }));
      return { rows: leads, next_cursor, count, count_is };
    },
    [hub, list],
  );
  const loadCsv = async ({ sort = '-priority', ...request }: ExportRequest) => {
    const query = { ...request, sort, list_id: list };
    return bodyOf(await hub.GET('/v2/leads/export', { params: { query }, parseAs: 'blob' })) as unknown as Blob;
  };
  return (
    <ListPage
      resource="leads"
      search={search}
      columns={COLUMNS}
      views={VIEWS}
      fields={ROW_FIELDS}
      load={load}
      loadCsv={loadCsv}
      idField="lead_id"
      idOf={({ lead_id }) => lead_id}
      accountOf={({ contact_id }) => contact_id}
      controls={ListChoice}
      empty={<EmptyState title={w.leads.empty} text={w.leads.emptyText} />}
    />
  );
}

/** Draws a priority from 0 to 100. */
function Priority({ value }: { value: number | null }) {
  if (value === null) return <Unknown />;
  return (
    <span className="flex items-center gap-2">
      <span aria-hidden="true" className="h-1.5 w-12 overflow-hidden rounded-full bg-bar-empty">
        <i className="block h-full bg-accent" style={{ width: `${value}%` }} />
      </span>
      <span className="num">{value}</span>
    </span>
  );
}

/** Draws the four layers of a score; one without evidence is an open ring, never a zero. */
function Layers({ layers }: { layers: NonNullable<Lead['layers']> }) {
  return (
    <span className="flex items-center gap-3">
      {LAYERS.map(layer => {
        const { score } = layers[layer];
        const name = w.leads.layerOf(w.leads.layer[layer], score);
        return (
          <svg key={layer} viewBox="0 0 24 24" className="size-5" role="img" aria-label={name}>
            <title>{name}</title>
            {score === null ? (
              <circle cx="12" cy="12" r="8" fill="none" className="stroke-expired" strokeDasharray="3 3" />
            ) : (
              <>
                <circle cx="12" cy="12" r="8" fill="none" strokeWidth="4" className="stroke-bar-empty" />
                <circle
                  cx="12"
                  cy="12"
                  r="8"
                  fill="none"
                  strokeWidth="4"
                  pathLength="100"
                  strokeDasharray={`${score} 100`}
                  transform="rotate(-90 12 12)"
                  className="stroke-accent"
                />
              </>
            )}
          </svg>
        );
      })}
    </span>
  );
}
