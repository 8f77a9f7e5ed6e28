import { useMutation } from '@tanstack/react-query';
import { bodyOf } from '../api/client.ts';
import { useMay, useWorkspace } from '../api/workspace.tsx';
import { Button } from '../ui/Button.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { w } from '../words/en.ts';
import { useRefresh } from './useRefresh.ts';
import { useSync } from './SyncContext.ts';

/** Starts a dry run, a sync of what changed, or one of everything. */
export function StartButtons({ isBusy }: { isBusy: boolean }) {
  const { path, words } = useSync();
  const { hub } = useWorkspace();
  const mayWrite = useMay('write');
  const refresh = useRefresh();
  const start = useMutation({
    mutationFn: async (body: { mode?: 'changes' | 'full'; dry_run?: boolean }) =>
      bodyOf(await hub.POST(path('/v2/plugins/crm/sync'), { body })),
    onSuccess: refresh,
  });
  const shared = { reason: mayWrite ? undefined : w.needs.write, disabled: isBusy || start.isPending };
  return (
    <div className="space-y-2">
      <div className="flex flex-wrap gap-2">
        <Button {...shared} onClick={() => start.mutate({ dry_run: true })}>
          {words.dryRun}
        </Button>
        <Button {...shared} look="main" onClick={() => start.mutate({})}>
          {words.sync}
        </Button>
        <Button {...shared} look="quiet" title={words.syncAllHint} onClick={() => start.mutate({ mode: 'full' })}>
          {words.syncAll}
        </Button>
      </div>
      {start.error && <ProblemNote error={start.error} />}
    </div>
  );
}
