import { useMutation } from '@tanstack/react-query';
import { bodyOf } from '../api/client.ts';
import type { Schemas } from '../api/schemas.ts';
import { useMay, useWorkspace } from '../api/workspace.tsx';
import { Button } from '../ui/Button.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { w } from '../words/en.ts';
import { integrationWords } from '../words/integrations.ts';

type Integration = Schemas['Integration'];

/** Connects by signing in at the provider, in another window or by another person. */
export function SignInLink({
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
  if (!signIn.is_configured) return <p className="text-against">{integrationWords.notRegistered}</p>;
  return (
    <div className="space-y-3">
      <p className="text-quiet">{integrationWords.permissions(signIn.scopes)}</p>
      {link.data ? (
        <>
          <a
            href={link.data.authorization_url}
            className="flex h-9 items-center justify-center rounded-md bg-accent font-medium text-on-accent"
          >
            {integrationWords.goSignIn(integration.display_name)}
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
          {integrationWords.connect}
        </Button>
      )}
      {link.error && <ProblemNote error={link.error} />}
    </div>
  );
}
