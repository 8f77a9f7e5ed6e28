import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { bodyOf, HubError } from '../api/client.ts';
import type { Schemas } from '../api/schemas.ts';
import { useMay, useWorkspace } from '../api/workspace.tsx';
import { Button } from '../ui/Button.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Field } from '../ui/Field.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { useToast } from '../ui/Toasts.tsx';
import { w } from '../words/en.ts';
import { ago } from '../words/when.ts';
import { listFields, readFields } from './schema.ts';
import { SchemaFields } from './SchemaFields.tsx';

type Integration = Schemas['Integration'];
type Connection = NonNullable<Integration['connection']>;
type Schema = Readonly<Record<string, unknown>> | null;

/** Connects an integration, or shows its connection with its settings. */
export function IntegrationDialog({ integration, onClose }: { integration: Integration; onClose: () => void }) {
  const { display_name, description, docs_url, state, min_plan, reason, connection, credentials_schema, sign_in } =
    integration;
  const isLocked = state === 'locked' && connection === null;
  return (
    <Dialog
      label={display_name}
      titled
      onClose={onClose}
      className="m-auto w-[min(560px,calc(100vw-24px))] rounded-md border"
    >
      <div className="space-y-5 p-5">
        <p className="text-quiet">
          {description}{' '}
          {docs_url !== null && (
            <a href={docs_url} rel="noreferrer noopener" target="_blank" className="text-accent underline">
              {w.integrations.docs}
            </a>
          )}
        </p>
        {isLocked && min_plan !== null && <p className="text-against">{w.integrations.locked(w.plan[min_plan])}</p>}
        {reason !== null && <p className="text-against">{reason}</p>}
        {connection && <ConnectionForm integration={integration} connection={connection} onClose={onClose} />}
        {!connection && !isLocked && credentials_schema !== null && (
          <ConnectForm integration={integration} onClose={onClose} />
        )}
        {!connection && !isLocked && sign_in && <SignInLink integration={integration} signIn={sign_in} />}
        {!connection && credentials_schema === null && !sign_in && <p>{w.integrations.builtInText}</p>}
      </div>
    </Dialog>
  );
}

function useRefresh() {
  const { workspace } = useWorkspace();
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: [workspace.id, 'integrations'] });
}

function ConnectForm({ integration, onClose }: { integration: Integration; onClose: () => void }) {
  const { hub } = useWorkspace();
  const refresh = useRefresh();
  const tell = useToast();
  const maySet = useMay('settings');
  const credentialFields = listFields(integration.credentials_schema as Schema);
  const settingFields = listFields(integration.settings_schema as Schema);
  const connect = useMutation({
    mutationFn: async (body: Schemas['ConnectIntegration']) =>
      bodyOf(await hub.POST('/v2/workspace/integrations', { body })),
    onSuccess: async ({ message }) => {
      await refresh();
      tell({ text: message });
      onClose();
    },
  });
  const test = useMutation({
    mutationFn: async (body: Pick<Schemas['ConnectIntegration'], 'credentials' | 'settings'>) =>
      bodyOf(
        await hub.POST('/v2/workspace/integrations/{plugin}/test', {
          params: { path: { plugin: integration.provider } },
          body,
        }),
      ),
  });
  const error = connect.error ?? test.error;
  const problems = error instanceof HubError ? error.fields : [];
  const read = (form: FormData) => ({
    credentials: readFields(credentialFields, form, 'credentials.') as Record<string, never>,
    settings: readFields(settingFields, form, 'settings.') as Record<string, never>,
  });
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget, (event.nativeEvent as SubmitEvent).submitter);
    if (form.get('step') === 'test') test.mutate(read(form));
    else connect.mutate({ provider: integration.provider, ...read(form) });
  }
  const reason = maySet ? undefined : w.needs.settings;
  return (
    <form onSubmit={submit} className="space-y-4" autoComplete="off">
      <SchemaFields fields={credentialFields} prefix="credentials." problems={problems} provider={undefined} />
      <SchemaFields fields={settingFields} prefix="settings." problems={problems} provider={undefined} />
      {test.data && <TestResult result={test.data} />}
      {error && problems.length === 0 && <ProblemNote error={error} />}
      <div className="flex justify-end gap-2">
        <Button type="submit" name="step" value="test" reason={reason} disabled={test.isPending}>
          {w.integrations.test}
        </Button>
        <Button type="submit" name="step" value="connect" look="main" reason={reason} disabled={connect.isPending}>
          {w.integrations.connect}
        </Button>
      </div>
    </form>
  );
}

function TestResult({ result: { ok, message } }: { result: Schemas['ConnectionTestResult'] }) {
  return (
    <p role="status" className={ok ? 'text-for' : 'text-against'}>
      {message}
    </p>
  );
}

/** Connects by signing in at the provider, in another window or by another person. */
function SignInLink({
  integration,
  signIn,
}: {
  integration: Integration;
  signIn: NonNullable<Integration['sign_in']>;
}) {
  const { hub } = useWorkspace();
  const maySet = useMay('settings');
  const link = useMutation({
    mutationFn: async () =>
      bodyOf(
        await hub.POST('/v2/workspace/integrations/{plugin}/authorize', {
          params: { path: { plugin: integration.provider } },
          body: {},
        }),
      ),
  });
  if (!signIn.is_configured) return <p className="text-against">{w.integrations.notRegistered}</p>;
  return (
    <div className="space-y-3">
      <p className="text-quiet">{w.integrations.permissions(signIn.scopes)}</p>
      {link.data ? (
        <>
          <a
            href={link.data.authorization_url}
            className="flex h-9 items-center justify-center rounded-md bg-accent font-medium text-on-accent"
          >
            {w.integrations.goSignIn(integration.display_name)}
          </a>
          <p className="text-quiet">{w.integrations.passOn}</p>
          <CopyButton text={link.data.authorization_url} className="w-full" />
        </>
      ) : (
        <Button
          look="main"
          className="w-full"
          reason={maySet ? undefined : w.needs.settings}
          disabled={link.isPending}
          onClick={() => link.mutate()}
        >
          {w.integrations.connect}
        </Button>
      )}
      {link.error && <ProblemNote error={link.error} />}
    </div>
  );
}

function ConnectionForm({
  integration,
  connection,
  onClose,
}: {
  integration: Integration;
  connection: Connection;
  onClose: () => void;
}) {
  const { hub } = useWorkspace();
  const refresh = useRefresh();
  const tell = useToast();
  const maySet = useMay('settings');
  const [typed, setTyped] = useState('');
  const fields = listFields(integration.settings_schema as Schema);
  const params = { path: { plugin: integration.provider, id: connection.id } };
  const reason = maySet ? undefined : w.needs.settings;
  const change = useMutation({
    mutationFn: (settings: Record<string, never>) =>
      hub.PATCH('/v2/workspace/integrations/{plugin}/connections/{id}', { params, body: { settings } }),
    onSuccess: async () => {
      await refresh();
      tell({ text: w.integrations.changed });
    },
  });
  const test = useMutation({
    mutationFn: async () =>
      bodyOf(await hub.POST('/v2/workspace/integrations/{plugin}/connections/{id}/test', { params })),
    onSettled: refresh,
  });
  const disconnect = useMutation({
    mutationFn: () => hub.DELETE('/v2/workspace/integrations/{plugin}/connections/{id}', { params }),
    onSuccess: async () => {
      await refresh();
      tell({ text: w.integrations.disconnected });
      onClose();
    },
  });
  const error = change.error ?? test.error ?? disconnect.error;
  const problems = error instanceof HubError ? error.fields : [];
  return (
    <div className="space-y-5">
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
        <dt className="text-quiet">{w.integrations.stateName}</dt>
        <dd>{w.integrations.state[connection.state]}</dd>
        <dt className="text-quiet">{w.integrations.since}</dt>
        <dd>{ago(connection.created_at)}</dd>
        <dt className="text-quiet">{w.integrations.lastEvent}</dt>
        <dd>{connection.last_event_at === null ? w.settings.never : ago(connection.last_event_at)}</dd>
        {connection.last_error !== null && (
          <>
            <dt className="text-quiet">{w.integrations.lastError}</dt>
            <dd className="text-against">{connection.last_error}</dd>
          </>
        )}
      </dl>
      {fields.length > 0 && (
        <form
          className="space-y-4"
          onSubmit={event => {
            event.preventDefault();
            change.mutate(readFields(fields, new FormData(event.currentTarget), 'settings.') as Record<string, never>);
          }}
        >
          <SchemaFields
            fields={fields}
            prefix="settings."
            values={connection.settings as Record<string, unknown>}
            problems={problems}
            provider={integration.provider}
          />
          <Button type="submit" reason={reason} disabled={change.isPending}>
            {w.integrations.saveSettings}
          </Button>
        </form>
      )}
      {test.data && <TestResult result={test.data} />}
      {error && problems.length === 0 && <ProblemNote error={error} />}
      <Button reason={reason} disabled={test.isPending} onClick={() => test.mutate()}>
        {w.integrations.test}
      </Button>
      <form
        className="space-y-3 border-t border-line pt-4"
        onSubmit={event => {
          event.preventDefault();
          disconnect.mutate();
        }}
      >
        <p>{w.integrations.disconnectText(integration.display_name)}</p>
        <Field
          label={w.settings.name}
          value={typed}
          onChange={event => setTyped(event.target.value)}
          autoComplete="off"
        />
        <Button
          type="submit"
          look="danger"
          reason={reason}
          disabled={typed.trim() !== integration.display_name || disconnect.isPending}
        >
          {w.integrations.disconnect}
        </Button>
      </form>
    </div>
  );
}
