import { getRouteApi } from '@tanstack/react-router';
import { useCallback } from 'react';
import { bodyOf } from '../api/client.ts';
import type { Schemas } from '../api/schemas.ts';
import { toText } from '../words/text.ts';
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

type Company = Schemas['Company'];

const FIELDS = 'id,name,domain,industry,company_size,country,stage,people_count,last_activity_at';
const ROW_FIELDS = ['people_count', 'last_activity_at', 'created_at'];

const COLUMNS: readonly Column<Company>[] = [
  {
    id: 'name',
    title: w.column.name,
    track: 'minmax(140px,1.3fr)',
    sort: 'name',
    cell: ({ name, domain }) => <span className="truncate font-medium">{name ?? domain ?? <Unknown />}</span>,
  },
  {
    id: 'industry',
    title: w.column.industry,
    track: 'minmax(140px,1.4fr)',
    sort: 'industry',
    cell: ({ industry, epistemics }) => <ClaimCell value={industry} known={epistemics?.['industry']} />,
  },
  {
    id: 'company_size',
    title: w.column.headcount,
    track: 'minmax(120px,1fr)',
    isWideOnly: true,
    cell: ({ company_size, epistemics }) => (
      <ClaimCell value={toText(company_size)} known={epistemics?.['headcount'] ?? epistemics?.['company_size']} />
    ),
  },
  {
    id: 'country',
    title: w.column.country,
    track: 'minmax(120px,1fr)',
    sort: 'country',
    isWideOnly: true,
    cell: ({ country, epistemics }) => <ClaimCell value={country} known={epistemics?.['country']} />,
  },
  {
    id: 'stage',
    title: w.column.stage,
    track: 'minmax(120px,1fr)',
    sort: 'stage',
    isWideOnly: true,
    cell: ({ stage, epistemics }) => <ClaimCell value={stage} known={epistemics?.['stage']} />,
  },
  {
    id: 'people_count',
    title: w.column.people,
    track: '80px',
    isWideOnly: true,
    cell: ({ people_count }) => <span className="num">{people_count}</span>,
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
  { name: w.view.all, chips: [] },
  { name: w.view.contested, chips: [{ property: 'industry', condition: 'class', value: 'contested' }] },
  { name: w.view.noIndustry, chips: [{ property: 'industry', condition: 'missing', value: '' }] },
];

const route = getRouteApi('/w/$workspace/companies');

/** The companies of the workspace. */
export function CompaniesPage() {
  const { hub } = useWorkspace();
  const load = useCallback(
    async ({ columns, ...request }: ListRequest, signal: AbortSignal) => {
      const query = { ...request, fields: addFields(FIELDS, columns), include: 'epistemics' as const };
      const { companies, next_cursor, count, count_is } = bodyOf(
        await hub.GET('/v2/companies', { signal, params: { query } }),
      );
      return { rows: companies, next_cursor, count, count_is };
    },
    [hub],
  );
  const loadCsv = async (query: ExportRequest) =>
    bodyOf(await hub.GET('/v2/companies/export', { params: { query }, parseAs: 'blob' })) as unknown as Blob;
  return (
    <ListPage
      resource="companies"
      search={route.useSearch()}
      columns={COLUMNS}
      views={VIEWS}
      fields={ROW_FIELDS}
      load={load}
      loadCsv={loadCsv}
      idField="id"
      idOf={({ id }) => id}
      accountOf={({ id }) => id}
      empty={<FillGraph of="companies" />}
    />
  );
}
