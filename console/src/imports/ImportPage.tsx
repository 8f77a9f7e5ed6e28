import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { bodyOf } from '../api/client.ts';
import { useMay, useWorkspace } from '../api/workspace.tsx';
import { DetailHeader, ProblemPage } from '../shell/DetailHeader.tsx';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { importWords } from '../words/imports.ts';
import { w } from '../words/en.ts';
import { ColumnTable } from './ColumnTable.tsx';
import { Dialect } from './Dialect.tsx';
import { Runs } from './Runs.tsx';
import { type ColumnField, type FileImport, isRunning, type StartBody, type Target, TARGETS } from './types.ts';

const REFRESH_MS = 2_000;

const route = getRouteApi('/w/$workspace/imports/$id');

/** One file: what was seen in it, what its columns state, its dry run, its import, and the way back. */
export function ImportPage() {
  const { id } = route.useParams();
  const { hub, workspace } = useWorkspace();
  const file = useQuery({
    queryKey: [workspace.id, 'imports', id],
    placeholderData: undefined,
    queryFn: async ({ signal }) =>
      bodyOf(await hub.GET('/v2/plugins/csv-import/imports/{id}', { signal, params: { path: { id } } })).import,
    refetchInterval: ({ state }) => (state.data?.runs.some(isRunning) ? REFRESH_MS : false),
  });
  if (file.error) {
    return <ProblemPage title={w.nav.imports} error={file.error} onRetry={() => void file.refetch()} />;
  }
  if (!file.data) return <Skeleton rows={10} />;
  const { file_name, bytes } = file.data;
  return (
    <div className="flex h-full flex-col">
      <DetailHeader
        list="imports"
        name={file_name}
        beside={<span className="num text-quiet">{importWords.size(bytes)}</span>}
      />
      <div className="min-h-0 flex-1 overflow-auto" tabIndex={0} role="region" aria-label={file_name}>
        <div className="mx-auto max-w-5xl space-y-8 p-5">
          <Runs file={file.data} />
          {file.data.mapping && file.data.foreseen ? (
            <Mapping key={id} file={file.data} mapping={file.data.mapping} foreseen={file.data.foreseen} />
          ) : (
            <p className="text-quiet">{importWords.gone}</p>
          )}
        </div>
      </div>
    </div>
  );
}

/** The columns and the target of the file, and the two buttons: try it, and do it. */
function Mapping({
  file,
  mapping,
  foreseen,
}: {
  file: FileImport;
  mapping: NonNullable<FileImport['mapping']>;
  foreseen: NonNullable<FileImport['foreseen']>;
}) {
  const { hub, workspace } = useWorkspace();
  const mayWrite = useMay('write');
  const queries = useQueryClient();
  const [changed, setChanged] = useState<ReadonlyMap<number, ColumnField>>(new Map());
  const [target, setTarget] = useState<Target>('people');
  const start = useMutation({
    mutationFn: async (body: StartBody) =>
      bodyOf(await hub.POST('/v2/plugins/csv-import/imports/{id}/start', { params: { path: { id: file.id } }, body })),
    onSuccess: () => queries.invalidateQueries({ queryKey: [workspace.id, 'imports'] }),
  });
  const isBusy = start.isPending || file.runs.some(isRunning);
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget, (event.nativeEvent as SubmitEvent).submitter);
    const list = String(form.get('list') ?? '').trim();
    const order = String(form.get('date_order') ?? '');
    start.mutate({
      target,
      dry_run: form.get('step') === 'try',
      columns: [...changed].map(([index, field]) => ({ index, field })),
      ...(target === 'leads' && list !== '' && { list }),
      ...((order === 'day_first' || order === 'month_first') && { date_order: order }),
    });
  }
  const reason = mayWrite ? undefined : w.needs.write;
  return (
    <form onSubmit={submit} className="space-y-6">
      <Dialect dialect={file.dialect} foreseen={foreseen} />
      <section className="space-y-2">
        <h2 className="font-semibold">{importWords.columns}</h2>
        <p className="text-quiet">{importWords.columnsText}</p>
        <ColumnTable
          columns={mapping.columns}
          changed={changed}
          onChange={(index, field) => setChanged(before => new Map(before).set(index, field))}
        />
      </section>
      <section className="flex flex-wrap items-end gap-4">
        <label className="block w-48 space-y-1">
          <span className="font-medium">{importWords.target}</span>
          <select value={target} onChange={event => setTarget(event.target.value as Target)} className="field">
            {TARGETS.map(each => (
              <option key={each} value={each}>
                {importWords.targets[each]}
              </option>
            ))}
          </select>
        </label>
        {target === 'leads' && (
          <div className="w-64">
            <Field label={w.leads.list} name="list" maxLength={200} placeholder={file.file_name} />
          </div>
        )}
        {mapping.has_ambiguous_dates && (
          <label className="block w-56 space-y-1">
            <span className="font-medium">{importWords.dates}</span>
            <select name="date_order" required className="field" defaultValue="">
              <option value="" disabled>
                {importWords.chooseOrder}
              </option>
              <option value="day_first">{importWords.dayFirst}</option>
              <option value="month_first">{importWords.monthFirst}</option>
            </select>
          </label>
        )}
        <div className="ml-auto flex gap-2">
          <Button type="submit" name="step" value="try" reason={reason} disabled={isBusy}>
            {importWords.try}
          </Button>
          <Button type="submit" name="step" value="import" look="main" reason={reason} disabled={isBusy}>
            {importWords.start}
          </Button>
        </div>
      </section>
      {start.error && <ProblemNote error={start.error} />}
    </form>
  );
}
