import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { bodyOf } from '../api/client.ts';
import type { Schemas } from '../api/schemas.ts';
import { useMay, useWorkspace } from '../api/workspace.tsx';
import { Button } from '../ui/Button.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { w } from '../words/en.ts';
import { integrationWords } from '../words/integrations.ts';
import { listFields, listSettings, type NamedField, readFields, type Schema } from './schema.ts';
import { SchemaFields } from './SchemaFields.tsx';

type Integration = Schemas['Integration'];
type SignIn = NonNullable<Integration['sign_in']>;
type Provider = SignIn['providers'][number];

/** Connects by signing in at one of the providers, in another window or by another person. */
export function SignInLinks({ integration, signIn }: { integration: Integration; signIn: SignIn }) {
  const { hub } = useWorkspace();
  const settings = listSettings(integration);
  const params = { path: { plugin: integration.provider } };
  return (
    <div className="space-y-5">
      <h3 className="font-semibold">{integrationWords.bySignIn}</h3>
      {signIn.providers.map(provider => (
        <SignInLink
          key={provider.value}
          provider={provider}
          fields={settings.filter(({ name }) => provider.settings.includes(name))}
          request={async chosen => {
            const selected = signIn.setting === null ? {} : { [signIn.setting]: provider.value };
            const body = { settings: { ...chosen, ...selected } as Record<string, never> };
            return bodyOf(await hub.POST('/v2/workspace/integrations/{plugin}/authorize', { params, body }));
          }}
        />
      ))}
    </div>
  );
}

/** Signs in again at the provider of a connection whose tokens are no longer accepted. Its settings stay. */
export function SignInAgain({
  integration: { provider: plugin, settings_schema },
  signIn: { setting, providers },
  connection: { id, settings },
}: {
  integration: Integration;
  signIn: SignIn;
  connection: NonNullable<Integration['connection']>;
}) {
  const { hub } = useWorkspace();
  const byDefault = listFields(settings_schema as Schema).find(({ name }) => name === setting)?.field.default;
  const value = setting === null ? null : ((settings as Record<string, unknown>)[setting] ?? byDefault);
  const provider = providers.find(each => each.value === value);
  const params = { path: { plugin, id } };
  return (
    provider && (
      <SignInLink
        provider={provider}
        fields={[]}
        request={async () =>
          bodyOf(await hub.POST('/v2/workspace/integrations/{plugin}/connections/{id}/authorize', { params, body: {} }))
        }
      />
    )
  );
}

function SignInLink({
  provider,
  fields,
  request,
}: {
  provider: Provider;
  /** Settings that people choose before. */
  fields: readonly NamedField[];
  /** Asks for a link with the settings that were chosen. */
  request: (chosen: Readonly<Record<string, unknown>>) => Promise<{ readonly authorization_url: string }>;
}) {
  const maySet = useMay('settings');
  const link = useMutation({ mutationFn: request });
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const { values } = readFields(fields, new FormData(event.currentTarget), 'settings.');
    link.mutate(values);
  }
  if (!provider.is_configured) return <p className="text-quiet">{integrationWords.notRegistered(provider.name)}</p>;
  return (
    <div className="space-y-3">
      <p className="text-quiet">{integrationWords.permissions(provider.name, provider.scopes)}</p>
      {link.data ? (
        <>
          <a
            href={link.data.authorization_url}
            className="flex h-9 items-center justify-center rounded-md bg-accent font-medium text-on-accent"
          >
            {integrationWords.goSignIn(provider.name)}
          </a>
          <p className="text-quiet">{integrationWords.passOn}</p>
          <CopyButton text={link.data.authorization_url} className="w-full" />
        </>
      ) : (
        <form onSubmit={submit} className="space-y-3">
          <SchemaFields fields={fields} prefix="settings." problems={[]} provider={undefined} />
          <Button
            type="submit"
            look="main"
            className="w-full"
            reason={maySet ? undefined : w.needs.settings}
            disabled={link.isPending}
          >
            {integrationWords.connectBySignIn(provider.name)}
          </Button>
        </form>
      )}
      {link.error && <ProblemNote error={link.error} />}
    </div>
  );
}
