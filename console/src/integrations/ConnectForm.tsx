import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { bodyOf, HubError } from '../api/client.ts';
import type { FieldProblem } from '../api/fieldProblem.ts';
import type { Schemas } from '../api/schemas.ts';
import { useMay, useWorkspace } from '../api/workspace.tsx';
import { Button } from '../ui/Button.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { useToast } from '../ui/Toasts.tsx';
import { w } from '../words/en.ts';
import { integrationWords } from '../words/integrations.ts';
import { listFields, listSettings, readFields, type Schema } from './schema.ts';
import { SchemaFields } from './SchemaFields.tsx';
import { TestResult } from './TestResult.tsx';
import { useRefresh } from './useRefresh.ts';

/** Credentials and settings of an integration that is not connected yet. */
export function ConnectForm({ integration, onClose }: { integration: Schemas['Integration']; onClose: () => void }) {
  const { hub } = useWorkspace();
  const refresh = useRefresh();
  const tell = useToast();
  const maySet = useMay('settings');
  const credentialFields = listFields(integration.credentials_schema as Schema);
  const settingFields = listSettings(integration);
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
  const [typos, setTypos] = useState<readonly FieldProblem[]>([]);
  const problems = [...typos, ...(error instanceof HubError ? error.fields : [])];
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget, (event.nativeEvent as SubmitEvent).submitter);
    const credentials = readFields(credentialFields, form, 'credentials.');
    const settings = readFields(settingFields, form, 'settings.');
    setTypos([...credentials.problems, ...settings.problems]);
    if (credentials.problems.length + settings.problems.length > 0) return;
    const body = { credentials: credentials.values, settings: settings.values };
    if (form.get('step') === 'test') test.mutate(body);
    else connect.mutate({ provider: integration.provider, ...body });
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
          {integrationWords.test}
        </Button>
        <Button type="submit" name="step" value="connect" look="main" reason={reason} disabled={connect.isPending}>
          {integrationWords.connect}
        </Button>
      </div>
    </form>
  );
}
