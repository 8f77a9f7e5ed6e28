import { useMutation, useQueryClient } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { bodyOf } from '../api/client.ts';
import { usePages } from '../api/pages.ts';
import type { Schemas } from '../api/schemas.ts';
import { useMay, useWorkspace } from '../api/workspace.tsx';
import { Button } from '../ui/Button.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { Field } from '../ui/Field.tsx';
import { LoadedList } from '../ui/LoadedList.tsx';
import { Moment } from '../ui/Moment.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { useToast } from '../ui/Toasts.tsx';
import { w } from '../words/en.ts';
import { ago } from '../words/when.ts';
import { SettingsHeader } from './SettingsHeader.tsx';
import { Table } from '../ui/Table.tsx';

const SCOPES = ['read', 'write', 'settings', 'admin'] as const;
const PRESELECTED: ReadonlySet<string> = new Set(['read', 'write']);
const PAGE_KEYS = 50;

type Key = Schemas['ApiKey'];

/** The API keys of the workspace. */
export function KeysPage() {
  const { hub, workspace } = useWorkspace();
  const mayManage = useMay('settings');
  const [isCreating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<Key>();
  const list = usePages({
    queryKey: [workspace.id, 'keys'],
    enabled: mayManage,
    load: async (cursor, signal) =>
      bodyOf(
        await hub.GET('/v2/api-keys', {
          signal,
          params: { query: { state: 'active', limit: PAGE_KEYS, cursor } },
        }),
      ),
    next: page => page.next_cursor,
  });
  const keys = list.data?.pages.flatMap(page => page.api_keys) ?? [];
  const reason = mayManage ? undefined : w.needs.settings;
  return (
    <>
      <SettingsHeader title={w.settings.keys} text={w.settings.keysText}>
        <Button look="main" reason={reason} onClick={() => setCreating(true)}>
          <KeyRound className="size-4" aria-hidden="true" />
          {w.settings.createKey}
        </Button>
      </SettingsHeader>
      {mayManage ? (
        <LoadedList
          list={list}
          isEmpty={keys.length === 0}
          empty={<EmptyState title={w.settings.keys} text={w.settings.noKeys} />}
          rows={3}
          height={44}
        >
          {keys.length > 0 && (
            <Table
              label={w.settings.keys}
              head={[w.settings.name, w.settings.key, w.settings.scopes, w.settings.lastUsed, w.settings.expires, '']}
            >
              {keys.map(key => (
                <tr key={key.id}>
                  <td className="font-medium">{key.name}</td>
                  <td className="num whitespace-nowrap text-quiet">
                    {key.prefix}…{key.last_four}
                  </td>
                  <td className="text-quiet">{key.scopes.map(scope => w.settings.scope[scope]).join(', ')}</td>
                  <td className="whitespace-nowrap text-quiet">
                    {key.last_used_at === null ? w.settings.never : <Moment at={key.last_used_at} />}
                  </td>
                  <td className="whitespace-nowrap text-quiet">
                    {key.expires_at === null ? w.settings.never : ago(key.expires_at)}
                  </td>
                  <td className="text-right">
                    <Button look="quiet" onClick={() => setRevoking(key)}>
                      {w.settings.revoke}
                    </Button>
                  </td>
                </tr>
              ))}
            </Table>
          )}
        </LoadedList>
      ) : (
        <EmptyState title={w.settings.keys} text={w.needs.settings} />
      )}
      {isCreating && <CreateDialog onClose={() => setCreating(false)} />}
      {revoking && <RevokeDialog apiKey={revoking} onClose={() => setRevoking(undefined)} />}
    </>
  );
}

function CreateDialog({ onClose }: { onClose: () => void }) {
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
      label={w.settings.createKey}
      titled
      onClose={onClose}
      className="m-auto w-[min(560px,calc(100vw-24px))] rounded-md border"
    >
      {create.data ? (
        <KeyShown value={create.data.key ?? ''} onClose={onClose} />
      ) : (
        <form onSubmit={submit} className="space-y-4 p-5">
          <Field label={w.settings.keyName} name="name" required maxLength={100} placeholder="crm sync" />
          <fieldset className="space-y-1">
            <legend className="font-medium">{w.settings.scopes}</legend>
            {SCOPES.map(scope => (
              <label key={scope} className="flex min-h-7 items-center gap-2 max-md:min-h-11">
                <input type="checkbox" name={scope} defaultChecked={PRESELECTED.has(scope)} className="size-4" />
                {w.settings.scope[scope]}
              </label>
            ))}
          </fieldset>
          <Field label={w.settings.expiresInDays} name="days" type="number" min={1} max={3650} />
          {create.error && <ProblemNote error={create.error} />}
          <Button type="submit" look="main" className="w-full" disabled={create.isPending}>
            {w.settings.createKey}
          </Button>
        </form>
      )}
    </Dialog>
  );
}

/** Shows a key once, with a request that works with it. */
function KeyShown({ value, onClose }: { value: string; onClose: () => void }) {
  const request = `curl -sS ${location.origin}/v2/workspace/status -H 'Authorization: Bearer ${value}'`;
  return (
    <div className="space-y-3 p-5">
      <p className="font-medium">{w.settings.keyOnce}</p>
      <CopyButton text={value} className="w-full" />
      <p className="text-quiet">{w.settings.tryIt}</p>
      <CopyButton text={request} className="w-full" />
      <Button look="main" className="w-full" onClick={onClose}>
        {w.settings.done}
      </Button>
    </div>
  );
}

function RevokeDialog({ apiKey: { id, name }, onClose }: { apiKey: Key; onClose: () => void }) {
  const { hub, workspace } = useWorkspace();
  const queries = useQueryClient();
  const tell = useToast();
  const [typed, setTyped] = useState('');
  const revoke = useMutation({
    mutationFn: () => hub.DELETE('/v2/api-keys/{id}', { params: { path: { id } } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: [workspace.id, 'keys'] });
      tell({ text: w.settings.revoked(name) });
      onClose();
    },
  });
  return (
    <Dialog
      label={w.settings.revokeTitle(name)}
      titled
      onClose={onClose}
      className="m-auto w-[min(440px,calc(100vw-24px))] rounded-md border"
    >
      <form
        className="space-y-4 p-5"
        onSubmit={event => {
          event.preventDefault();
          revoke.mutate();
        }}
      >
        <p>{w.settings.revokeText(name)}</p>
        <Field label={w.settings.name} value={typed} onChange={event => setTyped(event.target.value)} />
        {revoke.error && <ProblemNote error={revoke.error} />}
        <Button type="submit" look="danger" className="w-full" disabled={typed.trim() !== name || revoke.isPending}>
          {w.settings.revoke}
        </Button>
      </form>
    </Dialog>
  );
}
