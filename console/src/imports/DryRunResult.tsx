import { Link } from '@tanstack/react-router';
import { bodyOf } from '../api/client.ts';
import { usePages } from '../api/pages.ts';
import { useWorkspace } from '../api/workspace.tsx';
import { Disclosure } from '../ui/Disclosure.tsx';
import { LoadedList } from '../ui/LoadedList.tsx';
import { Table } from '../ui/Table.tsx';
import { importWords } from '../words/imports.ts';
import { toLabel, w } from '../words/en.ts';
import { type ForeseenRow, type ImportResult, type Outcome, OUTCOMES } from './types.ts';

/** Most rows that the hub lists of each outcome. */
const MAX_LISTED = 1_000;

/** What the rows of a file would do, counted over the whole file. Each number opens its rows. */
export function DryRunResult({
  importId,
  runId,
  rows,
  outcomes,
  rejections,
}: {
  importId: string;
  runId: string;
  /** Number of rows of the file. */
  rows: number;
  outcomes: NonNullable<ImportResult['outcomes']>;
  /** Missing in runs of earlier versions. */
  rejections: ImportResult['rejections'];
}) {
  return (
    <div className="space-y-1">
      <p>{importWords.wouldDo(rows)}</p>
      {OUTCOMES.filter(outcome => outcomes[outcome] > 0).map(outcome => (
        <Disclosure key={outcome} title={importWords.outcome(outcome, outcomes[outcome])}>
          <div className="space-y-2 pb-3">
            <p className="text-quiet">{importWords.outcomeText[outcome]}</p>
            {outcome === 'rejected' && <Reasons rejections={rejections} />}
            <Rows importId={importId} runId={runId} outcome={outcome} />
            {outcomes[outcome] > MAX_LISTED && <p className="text-quiet">{importWords.firstListed(MAX_LISTED)}</p>}
          </div>
        </Disclosure>
      ))}
    </div>
  );
}

function Reasons({ rejections }: { rejections: ImportResult['rejections'] }) {
  return (
    <ul className="list-disc pl-5">
      {rejections?.map(({ field, error, rows, line }) => (
        <li key={`${field}/${error}`}>{importWords.reason(error, rows, line)}</li>
      ))}
    </ul>
  );
}

function Rows({ importId, runId, outcome }: { importId: string; runId: string; outcome: Outcome }) {
  const { hub, workspace } = useWorkspace();
  const list = usePages({
    queryKey: [workspace.id, 'imports', importId, 'rows', runId, outcome],
    load: async (after, signal) =>
      bodyOf(
        await hub.GET('/v2/plugins/csv-import/imports/{id}/rows', {
          signal,
          params: { path: { id: importId }, query: { run: runId, outcome, after } },
        }),
      ),
    next: page => page.next,
  });
  const rows = list.data?.pages.flatMap(page => page.rows) ?? [];
  const isRejected = outcome === 'rejected';
  return (
    <LoadedList
      list={list}
      isEmpty={rows.length === 0}
      empty={<p className="text-quiet">{importWords.rowsGone}</p>}
      rows={3}
      height={44}
    >
      {rows.length > 0 && (
        <Table
          label={importWords.outcome(outcome, rows.length)}
          head={isRejected ? importWords.rejectedHead : importWords.rowHead}
        >
          {rows.map(row => (
            <tr key={row.line}>
              <td className="num text-quiet">{row.line}</td>
              {isRejected ? (
                <td className="text-against">{row.error}</td>
              ) : (
                <>
                  <td>
                    <Who row={row} isNew={outcome === 'created'} />
                  </td>
                  <td>
                    <Changes row={row} />
                  </td>
                </>
              )}
            </tr>
          ))}
        </Table>
      )}
    </LoadedList>
  );
}

function Who({ row: { name, focus }, isNew }: { row: ForeseenRow; isNew: boolean }) {
  const { workspace } = useWorkspace();
  const label = name ?? focus ?? w.unknown;
  if (isNew || focus === null || focus.startsWith('{')) return <span>{label}</span>;
  return (
    <Link
      to="/w/$workspace/accounts/$id"
      params={{ workspace: workspace.id, id: focus }}
      className="font-medium hover:underline"
    >
      {label}
    </Link>
  );
}

function Changes({ row: { changes } }: { row: ForeseenRow }) {
  return (
    <ul className="py-1.5">
      {changes.map(({ property, known, given }) => (
        <li key={property}>
          <span className="text-quiet">{toLabel(property)}:</span> {known !== null && <span>{known} → </span>}
          <span className="font-medium">{given}</span>
        </li>
      ))}
    </ul>
  );
}
