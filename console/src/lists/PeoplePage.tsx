import { getRouteApi } from '@tanstack/react-router';
import { useCallback } from 'react';
import { bodyOf } from '../api/client.ts';
import type { Schemas } from '../api/schemas.ts';
import { useWorkspace } from '../api/workspace.tsx';
import { ClaimCell } from '../knowledge/ClaimCell.tsx';
import { Unknown } from '../knowledge/marks.tsx';
import { w } from '../words/en.ts';
import { TimeCell } from './cells.tsx';
import type { Column } from './DataGrid.tsx';
import { FillGraph } from './FillGraph.tsx';
import { addFields } from './columns.tsx';
import type { ExportRequest } from './exportRows.ts';
import { ListPage, type ListRequest } from './ListPage.tsx';
import type { View } from './ViewBar.tsx';

type Person = Schemas['Person'];

const FIELDS = 'id,name,email,title,company,account,city,last_activity_at';
const ROW_FIELDS = ['last_activity_at', 'created_at'];

const COLUMNS: readonly Column<Person>[] = [
  {
    id: 'name',
    title: w.column.name,
    track: 'minmax(130px,1.1fr)',
    sort: 'name',
    cell: ({ name, email }) => <span className="truncate font-medium">{name ?? email ?? <Unknown />}</span>,
  },
  {
    id: 'title',
    title: w.column.title,
    track: 'minmax(160px,1.7fr)',
    sort: 'title',
    cell: ({ title, epistemics }) => <ClaimCell value={title} known={epistemics?.['title']} />,
  },
  {
    id: 'company',
    title: w.column.company,
    track: 'minmax(150px,1.3fr)',
    sort: 'company',
    isWideOnly: true,
    cell: ({ account, company, epistemics }) => (
      <ClaimCell value={account?.name ?? company} known={epistemics?.['company']} />
    ),
  },
  {
    id: 'city',
    title: w.column.city,
    track: 'minmax(130px,1fr)',
    sort: 'city',
    isWideOnly: true,
    cell: ({ city, epistemics }) => <ClaimCell value={city} known={epistemics?.['city']} />,
  },
  {
    id: 'email',
    title: w.column.email,
    track: 'minmax(160px,1.5fr)',
    isWideOnly: true,
    cell: ({ email }) => (email === null ? <Unknown /> : <span className="truncate text-quiet">{email}</span>),
  },
  {
    id: 'last_activity_at',
    title: w.column.lastActivity,
    track: '112px',
    sort: 'last_activity_at',
    isDescendingFirst: true,
    isWideOnly: true,
    cell: ({ last_activity_at }) => <TimeCell at={last_activity_at} />,
  },
];

const VIEWS: readonly View[] = [
  { name: w.view.everyone, chips: [] },
  {
    name: w.view.safe,
    chips: [
      { property: 'title', condition: 'freshness', value: 'fresh' },
      { property: 'title', condition: 'confidence', value: '0.7' },
    ],
  },
  { name: w.view.contested, chips: [{ property: 'title', condition: 'class', value: 'contested' }] },
  { name: w.view.stale, chips: [{ property: 'title', condition: 'freshness', value: 'expired' }] },
];

const route = getRouteApi('/w/$workspace/people');

/** The people of the workspace. */
export function PeoplePage() {
  const { hub } = useWorkspace();
  const load = useCallback(
    async ({ columns, ...request }: ListRequest, signal: AbortSignal) => {
      const query = { ...request, fields: addFields(FIELDS, columns), include: 'epistemics' as const };
      const { people, next_cursor, count, count_is } = bodyOf(
        await hub.GET('/v2/people', { signal, params: { query } }),
      );
      return { rows: people, next_cursor, count, count_is };
    },
    [hub],
  );
  const loadCsv = async (query: ExportRequest) =>
    bodyOf(await hub.GET('/v2/people/export', { params: { query }, parseAs: 'blob' })) as unknown as Blob;
  return (
    <ListPage
      resource="people"
      search={route.useSearch()}
      columns={COLUMNS}
      views={VIEWS}
      fields={ROW_FIELDS}
      load={load}
      loadCsv={loadCsv}
      idField="id"
      idOf={({ id }) => id}
      accountOf={({ id }) => id}
      empty={<FillGraph />}
    />
  );
}
