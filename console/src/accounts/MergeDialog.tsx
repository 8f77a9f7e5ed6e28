import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { bodyOf } from '../api/client.ts';
import { useWorkspace } from '../api/workspace.tsx';
import { MergePreview } from '../merges/MergePreview.tsx';
import { useMergeRefresh } from '../merges/useMergeRefresh.ts';
import { useUnmerge } from '../merges/useUnmerge.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Field } from '../ui/Field.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { useToast } from '../ui/Toasts.tsx';
import { accountWords as words } from '../words/account.ts';
import { w } from '../words/en.ts';
import { mergeWords } from '../words/merges.ts';

/** Merges an account with another one, after a look at what both become. */
export function MergeDialog({ id, name, onClose }: { id: string; name: string; onClose: () => void }) {
  const { hub, workspace } = useWorkspace();
  const refresh = useMergeRefresh();
  const go = useNavigate();
  const tell = useToast();
  const [other, setOther] = useState<string>();
  const undo = useUnmerge();
  const merge = useMutation({
    mutationFn: async (b: string) =>
      bodyOf(await hub.POST('/v2/entities/merge', { body: { a: id, b, reason: words.mergeReason } })),
    onSuccess: async ({ entity_id }, b) => {
      onClose();
      await refresh();
      await go({ to: '/w/$workspace/accounts/$id', params: { workspace: workspace.id, id: entity_id } });
      tell({ text: mergeWords.merged, undo: { label: w.undo, run: () => undo.mutate({ a: id, b }) } });
    },
  });
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    setOther(String(new FormData(event.currentTarget).get('other')).trim());
  }
  return (
    <Dialog
      label={words.mergeTitle(name)}
      titled
      onClose={onClose}
      className="m-auto max-h-[calc(100vh-32px)] w-[min(860px,calc(100vw-24px))] rounded-md border"
    >
      <div className="space-y-4 p-5">
        <form onSubmit={submit} className="flex flex-wrap items-end gap-3">
          <div className="min-w-0 flex-1 basis-64">
            <Field label={words.other} name="other" required maxLength={320} placeholder="ada@acme.com" />
          </div>
          <Button type="submit" className="h-9">
            {words.compare}
          </Button>
        </form>
        {other !== undefined && <MergePreview a={id} b={other} />}
        {merge.error && <ProblemNote error={merge.error} />}
        {other !== undefined && (
          <div className="flex justify-end">
            <Button look="main" disabled={merge.isPending} onClick={() => merge.mutate(other)}>
              {mergeWords.merge}
            </Button>
          </div>
        )}
      </div>
    </Dialog>
  );
}
