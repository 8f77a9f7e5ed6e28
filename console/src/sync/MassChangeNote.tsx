import { useMutation } from '@tanstack/react-query';
import { bodyOf } from '../api/client.ts';
import { useMay, useWorkspace } from '../api/workspace.tsx';
import { Button } from '../ui/Button.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { useToast } from '../ui/Toasts.tsx';
import { w } from '../words/en.ts';
import { PushSamples } from './PushSamples.tsx';
import type { MassChange } from './types.ts';
import { useRefresh } from './useRefresh.ts';
import { useSync } from './SyncContext.ts';

/** Many changes of the CRM, which wait until somebody approves or discards them. */
export function MassChangeNote({ change: { records, limit, samples } }: { change: MassChange }) {
  const { path, words } = useSync();
  const { hub } = useWorkspace();
  const mayWrite = useMay('write');
  const refresh = useRefresh();
  const tell = useToast();
  const decide = useMutation({
    mutationFn: async (decision: 'apply' | 'discard') =>
      bodyOf(await hub.POST(path('/v2/plugins/crm/approve'), { body: { decision } })),
    onSuccess: async ({ decision }) => {
      await refresh();
      tell({ text: decision === 'apply' ? words.applied : words.discarded });
    },
  });
  const shared = { reason: mayWrite ? undefined : w.needs.write, disabled: decide.isPending };
  return (
    <section className="space-y-3 rounded-md border border-against/40 p-4">
      <p role="status">{words.massChange(records, limit)}</p>
      <div className="flex flex-wrap gap-2">
        <Button {...shared} look="main" onClick={() => decide.mutate('apply')}>
          {words.apply}
        </Button>
        <Button {...shared} onClick={() => decide.mutate('discard')}>
          {words.discard}
        </Button>
      </div>
      {decide.error && <ProblemNote error={decide.error} />}
      <PushSamples samples={samples} />
    </section>
  );
}
