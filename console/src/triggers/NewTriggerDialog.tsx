import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { bodyOf, HubError } from '../api/client.ts';
import type { Schemas } from '../api/schemas.ts';
import { useWorkspace } from '../api/workspace.tsx';
import { Button } from '../ui/Button.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Field } from '../ui/Field.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { triggerWords } from '../words/triggers.ts';
import { settingsWords } from '../words/settings.ts';

/** Creates a webhook endpoint, and shows its secret once. */
export function NewTriggerDialog({ events, onClose }: { events: readonly string[]; onClose: () => void }) {
  const { hub, workspace } = useWorkspace();
  const queries = useQueryClient();
  const create = useMutation({
    mutationFn: async (body: Schemas['SetTrigger']) => bodyOf(await hub.POST('/v2/workspace/triggers', { body })),
    onSuccess: () => queries.invalidateQueries({ queryKey: [workspace.id, 'triggers'] }),
  });
  const problems = create.error instanceof HubError ? create.error.fields : [];
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const name = String(form.get('name') ?? '').trim();
    create.mutate({
      url: String(form.get('url')).trim(),
      events: events.filter(each => form.get(each) === 'on'),
      format: form.get('format') === 'slack' ? 'slack' : 'standard',
      ...(name !== '' && { name }),
    });
  }
  const secret = create.data?.trigger && 'secret' in create.data.trigger ? create.data.trigger.secret : undefined;
  return (
    <Dialog
      label={triggerWords.create}
      titled
      onClose={onClose}
      className="m-auto w-[min(560px,calc(100vw-24px))] rounded-md border"
    >
      {create.data ? (
        <div className="space-y-3 p-5">
          <p className="font-medium">{triggerWords.secretOnce}</p>
          {secret !== undefined && <CopyButton text={String(secret)} className="w-full" />}
          <p className="text-quiet">{triggerWords.secretText}</p>
          <Button look="main" className="w-full" onClick={onClose}>
            {settingsWords.done}
          </Button>
        </div>
      ) : (
        <form onSubmit={submit} className="space-y-4 p-5">
          <Field
            label={triggerWords.url}
            name="url"
            type="url"
            required
            placeholder="https://example.org/hooks"
            hint={triggerWords.urlHint}
            problem={problems.find(({ field }) => field === 'url')?.message}
          />
          <Field label={triggerWords.name} name="name" maxLength={100} />
          <fieldset className="space-y-1">
            <legend className="font-medium">{triggerWords.events}</legend>
            {events.map(each => (
              <label key={each} className="flex min-h-7 items-center gap-2 max-md:min-h-11">
                <input type="checkbox" name={each} className="size-4" />
                <span className="num">{each}</span>
              </label>
            ))}
          </fieldset>
          <label className="block space-y-1">
            <span className="font-medium">{triggerWords.format}</span>
            <select name="format" className="field">
              <option value="standard">{triggerWords.standard}</option>
              <option value="slack">Slack</option>
            </select>
          </label>
          {create.error && !problems.some(({ field }) => field === 'url') && <ProblemNote error={create.error} />}
          <Button type="submit" look="main" className="w-full" disabled={create.isPending}>
            {triggerWords.create}
          </Button>
        </form>
      )}
    </Dialog>
  );
}
