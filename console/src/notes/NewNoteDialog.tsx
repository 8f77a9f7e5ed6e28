import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { bodyOf } from '../api/client.ts';
import { useWorkspace } from '../api/workspace.tsx';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Field } from '../ui/Field.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { useToast } from '../ui/Toasts.tsx';
import { noteWords } from '../words/notes.ts';

/** Writes a note about somebody, from which the hub reads plain facts. */
export function NewNoteDialog({ onClose }: { onClose: () => void }) {
  const { hub, workspace } = useWorkspace();
  const queries = useQueryClient();
  const tell = useToast();
  const save = useMutation({
    mutationFn: async (body: { focus: string; title: string; content: string; extract: boolean }) =>
      bodyOf(await hub.POST('/v2/notes', { body })),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: [workspace.id] });
      tell({ text: noteWords.saved });
      onClose();
    },
  });
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name) ?? '').trim();
    const title = text('title');
    save.mutate({ focus: text('focus'), title, content: text('content'), extract: form.get('extract') === 'on' });
  }
  return (
    <Dialog
      label={noteWords.add}
      titled
      onClose={onClose}
      className="m-auto w-[min(560px,calc(100vw-24px))] rounded-md border"
    >
      <form onSubmit={submit} className="space-y-4 p-5">
        <Field label={noteWords.focus} name="focus" required hint={noteWords.focusHint} placeholder="ada@acme.com" />
        <Field label={noteWords.title} name="title" required maxLength={200} />
        <label className="block space-y-1">
          <span className="font-medium">{noteWords.content}</span>
          <textarea name="content" required rows={8} className="field h-auto py-2" />
        </label>
        <label className="flex min-h-7 items-center gap-2">
          <input type="checkbox" name="extract" className="size-4" />
          {noteWords.extract}
        </label>
        {save.error && <ProblemNote error={save.error} />}
        <Button type="submit" look="main" className="w-full" disabled={save.isPending}>
          {noteWords.save}
        </Button>
      </form>
    </Dialog>
  );
}
