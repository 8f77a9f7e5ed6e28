import { useMutation } from '@tanstack/react-query';
import { bodyOf } from '../api/client.ts';
import type { Schemas } from '../api/schemas.ts';
import { useMay, useWorkspace } from '../api/workspace.tsx';
import { Button } from '../ui/Button.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { w } from '../words/en.ts';
import { integrationWords } from '../words/integrations.ts';

type SignIn = NonNullable<Schemas['Integration']['sign_in']>;
type Provider = SignIn['providers'][number];

/** Connects by signing in at one of the providers, in another window or by another person. */
export function SignInLinks({ plugin, signIn }: { plugin: string; signIn: SignIn }) {
  return (
    <div className="space-y-5">
      {signIn.providers.map(provider => (
        <SignInLink key={provider.name} plugin={plugin} setting={signIn.setting} provider={provider} />
      ))}
    </div>
  );
}

function SignInLink({ plugin, setting, provider }: { plugin: string; setting: string | null; provider: Provider }) {
  const { hub } = useWorkspace();
  const maySet = useMay('settings');
  const link = useMutation({
    mutationFn: async () =>
      bodyOf(
        await hub.POST('/v2/workspace/integrations/{plugin}/authorize', {
          params: { path: { plugin } },
          body: setting === null ? {} : { settings: { [setting]: provider.value } as Record<string, never> },
        }),
      ),
  });
  if (!provider.is_configured) return <p className="text-quiet">{integrationWords.notRegistered(provider.name)}</p>;
  return (
    <div className="space-y-3">
      <p className="text-quiet">{integrationWords.permissions(provider.scopes)}</p>
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
        <Button
          look="main"
          className="w-full"
          reason={maySet ? undefined : w.needs.settings}
          disabled={link.isPending}
          onClick={() => link.mutate()}
        >
          {integrationWords.connectBySignIn(provider.name)}
        </Button>
      )}
      {link.error && <ProblemNote error={link.error} />}
    </div>
  );
}
