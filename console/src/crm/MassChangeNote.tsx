import { useMutation } from '@tanstack/react-query';
import { bodyOf } from '../api/client.ts';
import { useMay, useWorkspace } from '../api/workspace.tsx';
import { Button } from '../ui/Button.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { useToast } from '../ui/Toasts.tsx';
import { crmWords } from '../words/crm.ts';
import { w } from '../words/en.ts';
import { PushSamples } from './PushSamples.tsx';
import type { MassChange } from './types.ts';
import { useRefresh } from './useRefresh.ts';

/** Many changes of the CRM, which wait until somebody approves or discards them. */
export function MassChangeNote({ change: { records, limit, samples } }: { change: MassChange }) {
  const { hub } = useWorkspace();
  const mayWrite = useMay('write');
  const refresh = useRefresh();
  const tell = useToast();
  const decide = useMutation({
    mutationFn: async (decision: 'apply' | 'discard') =>
      bodyOf(await hub.POST('/v2/plugins/crm/approve', { body: { decision } })),
    onSuccess: async ({ decision }) => {
      await refresh();
      tell({ text: decision === 'apply' ? crmWords.applied : crmWords.discarded });
    },
  });
  const shared = { reason: mayWrite ? undefined : w.needs.write, disabled: decide.isPending };
  return (
    <section className="space-y-3 rounded-md border border-against/40 p-4">
      <p role="status">{crmWords.massChange(records, limit)}</p>
      <div className="flex flex-wrap gap-2">
        <Button {...shared} look="main" onClick={() => decide.mutate('apply')}>
          {crmWords.apply}
        </Button>
        <Button {...shared} onClick={() => decide.mutate('discard')}>
          {crmWords.discard}
        </Button>
      </div>
      {decide.error && <ProblemNote error={decide.error} />}
      <PushSamples samples={samples} />
    </section>
  );
}
