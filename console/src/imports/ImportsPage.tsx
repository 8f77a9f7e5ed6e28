import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { bodyOf, HubError } from '../api/client.ts';
import { usePages } from '../api/pages.ts';
import { useWorkspace } from '../api/workspace.tsx';
import { PageHeader } from '../shell/PageHeader.tsx';
import { cn } from '../ui/cn.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { LoadedList } from '../ui/LoadedList.tsx';
import { Moment } from '../ui/Moment.tsx';
import { importWords } from '../words/imports.ts';
import { w } from '../words/en.ts';
import { DropZone } from './DropZone.tsx';
import { RunState } from './RunState.tsx';

const PAGE_IMPORTS = 50;

/** Files that were imported, and a place for another one. */
export function ImportsPage() {
  const { hub, workspace } = useWorkspace();
  const queries = useQueryClient();
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
              <DropZone onUploaded={() => queries.invalidateQueries({ queryKey: [workspace.id, 'imports'] })} />
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
                      <span className="min-w-0 flex-1 basis-40 truncate font-medium">{file_name}</span>
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
