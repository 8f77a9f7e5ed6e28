import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { bodyOf, HubError } from '../api/client.ts';
import type { FieldProblem } from '../api/fieldProblem.ts';
import type { Schemas } from '../api/schemas.ts';
import { useMay, useWorkspace } from '../api/workspace.tsx';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { useToast } from '../ui/Toasts.tsx';
import { w } from '../words/en.ts';
import { integrationWords } from '../words/integrations.ts';
import { settingsWords } from '../words/settings.ts';
import { ago } from '../words/when.ts';
import { listSettings, readFields } from './schema.ts';
import { SchemaFields } from './SchemaFields.tsx';
import { TestResult } from './TestResult.tsx';
import { useRefresh } from './useRefresh.ts';

type Integration = Schemas['Integration'];
type Connection = NonNullable<Integration['connection']>;

/** The state of a connection, its settings, and the way to end it. */
export function ConnectionForm({
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
  const fields = listSettings(integration);
  const params = { path: { plugin: integration.provider, id: connection.id } };
  const reason = maySet ? undefined : w.needs.settings;
  const change = useMutation({
    mutationFn: (settings: Record<string, never>) =>
      hub.PATCH('/v2/workspace/integrations/{plugin}/connections/{id}', { params, body: { settings } }),
    onSuccess: async () => {
      await refresh();
      tell({ text: integrationWords.changed });
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
      tell({ text: integrationWords.disconnected });
      onClose();
    },
  });
  const error = change.error ?? test.error ?? disconnect.error;
  const [typos, setTypos] = useState<readonly FieldProblem[]>([]);
  const problems = [...typos, ...(error instanceof HubError ? error.fields : [])];
  return (
    <div className="space-y-5">
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
        <dt className="text-quiet">{integrationWords.stateName}</dt>
        <dd>{integrationWords.state[connection.state]}</dd>
        <dt className="text-quiet">{integrationWords.since}</dt>
        <dd>{ago(connection.created_at)}</dd>
        <dt className="text-quiet">{integrationWords.lastEvent}</dt>
        <dd>{connection.last_event_at === null ? settingsWords.never : ago(connection.last_event_at)}</dd>
        {connection.last_error !== null && (
          <>
            <dt className="text-quiet">{integrationWords.lastError}</dt>
            <dd className="text-against">{connection.last_error}</dd>
          </>
        )}
      </dl>
      {fields.length > 0 && (
        <form
          className="space-y-4"
          onSubmit={event => {
            event.preventDefault();
            const form = new FormData(event.currentTarget);
            const read = readFields(fields, form, 'settings.', connection.settings);
            setTypos(read.problems);
            if (read.problems.length === 0) change.mutate(read.values);
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
            {integrationWords.saveSettings}
          </Button>
        </form>
      )}
      {test.data && <TestResult result={test.data} />}
      {error && problems.length === 0 && <ProblemNote error={error} />}
      <Button reason={reason} disabled={test.isPending} onClick={() => test.mutate()}>
        {integrationWords.test}
      </Button>
      <form
        className="space-y-3 border-t border-line pt-4"
        onSubmit={event => {
          event.preventDefault();
          disconnect.mutate();
        }}
      >
        <p>{integrationWords.disconnectText(integration.display_name)}</p>
        <Field
          label={settingsWords.name}
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
          {integrationWords.disconnect}
        </Button>
      </form>
    </div>
  );
}
