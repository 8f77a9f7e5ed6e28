import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { bodyOf } from '../api/client.ts';
import { useMay, useWorkspace } from '../api/workspace.tsx';
import { DetailHeader, ProblemPage } from '../shell/DetailHeader.tsx';
import { Button } from '../ui/Button.tsx';
import { ConfirmByName } from '../ui/ConfirmByName.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { importWords } from '../words/imports.ts';
import { w } from '../words/en.ts';
import { FileSeen } from './FileSeen.tsx';
import { Runs } from './Runs.tsx';
import { StartForm } from './StartForm.tsx';
import { Step } from './Step.tsx';
import { isRunning } from './types.ts';

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
  const { file_name, bytes, mapping, foreseen, runs, dialect } = file.data;
  const isNew = runs.length === 0;
  // What is entered belongs to the file as it is read: another header has other columns.
  const reading = `${id}/${dialect?.encoding}/${dialect?.delimiter}/${dialect?.header_line}`;
  return (
    <div className="flex h-full flex-col">
      <DetailHeader
        list="imports"
        name={file_name}
        beside={<span className="num text-quiet">{importWords.size(bytes)}</span>}
      >
        <RemoveFile id={id} name={file_name} />
      </DetailHeader>
      <div className="min-h-0 flex-1 overflow-auto" tabIndex={0} role="region" aria-label={file_name}>
        <div className="mx-auto max-w-5xl space-y-4 p-5">
          {mapping && foreseen ? (
            <>
              <Step number={1} title={importWords.seen} isOpen={isNew}>
                <FileSeen key={reading} file={file.data} />
              </Step>
              <StartForm key={reading} file={file.data} mapping={mapping} isNew={isNew} />
            </>
          ) : (
            <p className="text-quiet">{importWords.gone}</p>
          )}
          {!isNew && (
            <Step number={4} title={importWords.runs}>
              <Runs file={file.data} readAt={file.dataUpdatedAt} />
            </Step>
          )}
        </div>
      </div>
    </div>
  );
}

/** Deletes the file and its entry; what was imported stays. */
function RemoveFile({ id, name }: { id: string; name: string }) {
  const { hub, workspace } = useWorkspace();
  const mayWrite = useMay('write');
  const queries = useQueryClient();
  const go = useNavigate();
  const [isAsking, setAsking] = useState(false);
  const remove = useMutation({
    mutationFn: () => hub.DELETE('/v2/plugins/csv-import/imports/{id}', { params: { path: { id } } }),
    onSuccess: async () => {
      // First away from the page: what it shows is not there to be read again.
      await go({ to: '/w/$workspace/imports', params: { workspace: workspace.id } });
      queries.removeQueries({ queryKey: [workspace.id, 'imports', id] });
      await queries.invalidateQueries({ queryKey: [workspace.id, 'imports'] });
    },
  });
  return (
    <div>
      <Button
        look="quiet"
        className="-ml-3"
        reason={mayWrite ? undefined : w.needs.write}
        onClick={() => setAsking(true)}
      >
        {importWords.remove}
      </Button>
      {isAsking && (
        <ConfirmByName
          title={importWords.removeTitle(name)}
          text={importWords.removeText}
          name={name}
          action={importWords.remove}
          isBusy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate()}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}
