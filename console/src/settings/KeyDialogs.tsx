import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { bodyOf } from '../api/client.ts';
import type { Schemas } from '../api/schemas.ts';
import { useWorkspace } from '../api/workspace.tsx';
import { Button } from '../ui/Button.tsx';
import { ConfirmByName } from '../ui/ConfirmByName.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Field } from '../ui/Field.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { SelectField } from '../ui/SelectField.tsx';
import { useToast } from '../ui/Toasts.tsx';
import { settingsWords } from '../words/settings.ts';
import { keyWords } from '../words/keys.ts';

const SCOPES = ['read', 'write', 'settings', 'admin'] as const;
const PRESELECTED: ReadonlySet<string> = new Set(['read', 'write']);
/** How long a key can go on beside the one that takes its place, in hours. */
const GRACE_HOURS = [24, 168, 1, 0] as const;

type Key = Schemas['ApiKey'];

interface KeyDialogProps {
  readonly apiKey: Key;
  readonly onClose: () => void;
}

/** Creates a key, and shows it once. */
export function CreateKeyDialog({ onClose }: { onClose: () => void }) {
  const { hub, workspace } = useWorkspace();
  const queries = useQueryClient();
  const create = useMutation({
    mutationFn: async (body: Schemas['CreateApiKey']) => bodyOf(await hub.POST('/v2/api-keys', { body })),
    onSuccess: () => queries.invalidateQueries({ queryKey: [workspace.id, 'keys'] }),
  });
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const days = String(form.get('days') ?? '');
    create.mutate({
      name: String(form.get('name')).trim(),
      scopes: SCOPES.filter(scope => form.get(scope) === 'on'),
      ...(days !== '' && { expires_in_days: Number(days) }),
    });
  }
  return (
    <Dialog
      label={settingsWords.createKey}
      titled
      onClose={onClose}
      className="m-auto w-[min(560px,calc(100vw-24px))] rounded-md border"
    >
      {create.data ? (
        <KeyShown value={create.data.key ?? ''} onClose={onClose} />
      ) : (
        <form onSubmit={submit} className="space-y-4 p-5">
          <Field label={settingsWords.keyName} name="name" required maxLength={100} placeholder="crm sync" />
          <fieldset className="space-y-1">
            <legend className="font-medium">{settingsWords.scopes}</legend>
            {SCOPES.map(scope => (
              <label key={scope} className="flex min-h-7 items-center gap-2 max-md:min-h-11">
                <input type="checkbox" name={scope} defaultChecked={PRESELECTED.has(scope)} className="size-4" />
                {settingsWords.scope[scope]}
              </label>
            ))}
          </fieldset>
          <Field label={settingsWords.expiresInDays} name="days" type="number" min={1} max={3650} />
          {create.error && <ProblemNote error={create.error} />}
          <Button type="submit" look="main" className="w-full" disabled={create.isPending}>
            {settingsWords.createKey}
          </Button>
        </form>
      )}
    </Dialog>
  );
}

/** Creates a key that takes the place of another one, and shows it once. */
export function RotateKeyDialog({ apiKey: { id, name }, onClose }: KeyDialogProps) {
  const { hub, workspace } = useWorkspace();
  const queries = useQueryClient();
  const rotate = useMutation({
    mutationFn: async (grace_hours: number) =>
      bodyOf(await hub.POST('/v2/api-keys/{id}/rotate', { params: { path: { id } }, body: { grace_hours } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: [workspace.id, 'keys'] }),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    rotate.mutate(Number(new FormData(event.currentTarget).get('grace')));
  };
  return (
    <Dialog
      label={keyWords.rotateTitle(name)}
      titled
      onClose={onClose}
      className="m-auto w-[min(560px,calc(100vw-24px))] rounded-md border"
    >
      {rotate.data ? (
        <KeyShown value={rotate.data.key ?? ''} onClose={onClose} />
      ) : (
        <form onSubmit={submit} className="space-y-4 p-5">
          <p>{keyWords.rotateText}</p>
          <SelectField
            label={keyWords.grace}
            name="grace"
            values={GRACE_HOURS.map(String)}
            nameOf={hours => keyWords.graceHours[Number(hours)]!}
          />
          {rotate.error && <ProblemNote error={rotate.error} />}
          <Button type="submit" look="main" className="w-full" disabled={rotate.isPending}>
            {keyWords.rotateSubmit}
          </Button>
        </form>
      )}
    </Dialog>
  );
}

/** Revokes a key after its name was typed. */
export function RevokeKeyDialog({ apiKey: { id, name }, onClose }: KeyDialogProps) {
  const { hub, workspace } = useWorkspace();
  const queries = useQueryClient();
  const tell = useToast();
  const revoke = useMutation({
    mutationFn: () => hub.DELETE('/v2/api-keys/{id}', { params: { path: { id } } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: [workspace.id, 'keys'] });
      tell({ text: settingsWords.revoked(name) });
      onClose();
    },
  });
  return (
    <ConfirmByName
      title={settingsWords.revokeTitle(name)}
      text={settingsWords.revokeText(name)}
      name={name}
      action={settingsWords.revoke}
      isBusy={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate()}
      onClose={onClose}
    />
  );
}

/** Shows a key once, with a request and settings of agents that work with it. */
function KeyShown({ value, onClose }: { value: string; onClose: () => void }) {
  const { origin } = location;
  const header = `Authorization: Bearer ${value}`;
  const server = { type: 'http', url: `${origin}/mcp`, headers: { Authorization: `Bearer ${value}` } };
  const snippets = [
    [keyWords.curl, `curl -sS ${origin}/v2/workspace/status -H '${header}'`],
    [keyWords.agent, `claude mcp add --transport http rapport ${origin}/mcp --header '${header}'`],
    [keyWords.config, JSON.stringify({ mcpServers: { rapport: server } })],
  ] as const;
  return (
    <div className="space-y-3 p-5">
      <p className="font-medium">{settingsWords.keyOnce}</p>
      <CopyButton text={value} className="w-full" />
      {snippets.map(([title, text]) => (
        <div key={title} className="space-y-1">
          <p className="text-quiet">{title}</p>
          <CopyButton text={text} className="w-full" />
        </div>
      ))}
      <Button look="main" className="w-full" onClick={onClose}>
        {settingsWords.done}
      </Button>
    </div>
  );
}
