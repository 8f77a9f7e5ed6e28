import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { FileUp } from 'lucide-react';
import { type DragEvent, useState } from 'react';
import { bodyOf, HubError } from '../api/client.ts';
import { usePages } from '../api/pages.ts';
import { useMay, useWorkspace } from '../api/workspace.tsx';
import { PageHeader } from '../shell/PageHeader.tsx';
import { cn } from '../ui/cn.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { LoadedList } from '../ui/LoadedList.tsx';
import { Moment } from '../ui/Moment.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { importWords } from '../words/imports.ts';
import { w } from '../words/en.ts';
import { RunState } from './RunState.tsx';
import { uploadFile } from './upload.ts';

const PAGE_IMPORTS = 50;
const FILE_TYPES = '.csv,.tsv,.txt,.xlsx';

/** Files that were imported, and a place for another one. */
export function ImportsPage() {
  const { hub, workspace } = useWorkspace();
  const list = usePages({
    queryKey: [workspace.id, 'imports'],
    load: async (cursor, signal) =>
      bodyOf(
        await hub.GET('/v2/plugins/csv-import/imports', {
          signal,
          params: { query: { limit: String(PAGE_IMPORTS), after: cursor } },
        }),
      ),
    next: page => page.next,
  });
  const imports = list.data?.pages.flatMap(page => page.imports) ?? [];
  const isMissing = list.error instanceof HubError && list.error.status === 404;
  return (
    <div className="flex h-full flex-col">
      <PageHeader title={w.nav.imports} text={importWords.text} />
      <div className="min-h-0 flex-1 overflow-auto" tabIndex={0} role="region" aria-label={w.nav.imports}>
        {isMissing ? (
          <EmptyState title={importWords.missing} text={importWords.missingText} />
        ) : (
          <>
            <div className="p-4">
              <DropZone />
            </div>
            <LoadedList list={list} isEmpty={imports.length === 0} rows={4} height={44}>
              <ul className={cn(imports.length > 0 && 'border-t border-line')}>
                {imports.map(({ id, file_name, bytes, created_at, runs }) => (
                  <li key={id} className="border-b border-line">
                    <Link
                      to="/w/$workspace/imports/$id"
                      params={{ workspace: workspace.id, id }}
                      className="soft flex min-h-11 flex-wrap items-center gap-x-4 px-4 py-2 hover:bg-panel"
                    >
                      <span className="min-w-0 flex-1 truncate font-medium">{file_name}</span>
                      {runs[0] && <RunState run={runs[0]} />}
                      <span className="num text-quiet">{importWords.size(bytes)}</span>
                      <Moment at={created_at} />
                    </Link>
                  </li>
                ))}
              </ul>
            </LoadedList>
          </>
        )}
      </div>
    </div>
  );
}

/** Takes a file by drop or by choice, and shows how much of it was sent. */
function DropZone() {
  const { workspace } = useWorkspace();
  const mayWrite = useMay('write');
  const go = useNavigate();
  const [isOver, setOver] = useState(false);
  const [part, setPart] = useState(0);
  const upload = useMutation({
    mutationFn: (file: File) => uploadFile(workspace.id, file, setPart),
    onSuccess: ({ id }) => go({ to: '/w/$workspace/imports/$id', params: { workspace: workspace.id, id } }),
  });
  function drop(event: DragEvent) {
    event.preventDefault();
    setOver(false);
    const file = event.dataTransfer.files[0];
    if (file && mayWrite && !upload.isPending) upload.mutate(file);
  }
  return (
    <div className="space-y-3">
      <label
        onDragOver={event => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
        title={mayWrite ? undefined : w.needs.write}
        className={cn(
          'soft flex cursor-pointer flex-col items-center gap-2 rounded-md border border-dashed px-6 py-10 text-center focus-within:outline-2 focus-within:outline-accent',
          isOver ? 'border-accent bg-accent-soft' : 'border-line-strong hover:bg-panel',
          !mayWrite && 'cursor-not-allowed opacity-60',
        )}
      >
        <FileUp className="size-6 text-quiet" aria-hidden="true" />
        <span className="font-medium">{importWords.drop}</span>
        <span className="text-quiet">{importWords.dropText}</span>
        <input
          type="file"
          accept={FILE_TYPES}
          disabled={!mayWrite || upload.isPending}
          className="sr-only"
          onChange={event => {
            const file = event.target.files?.[0];
            if (file) upload.mutate(file);
          }}
        />
      </label>
      {upload.isPending && (
        <p role="status" className="flex items-center gap-3">
          <progress max={1} value={part} className="h-1.5 flex-1 accent-accent" aria-label={importWords.uploading} />
          <span className="num">{importWords.sent(part)}</span>
        </p>
      )}
      {upload.error && <ProblemNote error={upload.error} />}
    </div>
  );
}
