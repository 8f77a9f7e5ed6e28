import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { bodyOf, createHub } from '../api/client.ts';
import type { Schemas } from '../api/schemas.ts';
import { w } from '../words/en.ts';
import { signInWords } from '../words/signIn.ts';
import { day } from '../words/when.ts';
import { Card } from './Card.tsx';
import { CodeField, NameField, NewPasswordField, PasswordField, readCode, SubmitRow } from './fields.tsx';
import { SecretPage } from './SecretPage.tsx';
import { signInAtProvider, signInState } from './singleSignOn.ts';
import { useForm } from './useForm.ts';

const route = getRouteApi('/invite/$token');

/** Accepts an invitation: with a new account, or with the one that the address has. */
export function InvitationPage() {
  const { token } = route.useParams();
  const params = { path: { token } };
  return (
    <SecretPage
      name="invitation"
      secret={token}
      load={async () => bodyOf(await createHub().GET('/auth/invitations/{token}', { params }))}
    >
      {invitation => <AcceptForm token={token} invitation={invitation} />}
    </SecretPage>
  );
}

function AcceptForm({ token, invitation }: { token: string; invitation: Schemas['OpenInvitation'] }) {
  const { workspace_name, role, email, expires_at, account_exists } = invitation;
  const form = useForm(async read => {
    const name = read('name').trim();
    const body = { password: read('password'), ...readCode(read), ...(name !== '' && { name }) };
    await createHub().POST('/auth/invitations/{token}/accept', { params: { path: { token } }, body });
    location.assign('/');
  });
  const state = useQuery(signInState);
  const provider = state.data?.single_sign_on;
  const byProvider = useForm(() => signInAtProvider({ invitation: token }));
  return (
    <Card
      title={signInWords.invitation.title(workspace_name)}
      text={signInWords.invitation.text(w.role[role], email, day(expires_at), account_exists)}
    >
      <form onSubmit={form.onSubmit} className="space-y-4">
        <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
        {!account_exists && <NameField form={form} />}
        {account_exists ? (
          <PasswordField form={form} wrong={signInWords.invitation.wrong} />
        ) : (
          <NewPasswordField form={form} />
        )}
        {form.needsCode && <CodeField form={form} />}
        <SubmitRow form={form} label={signInWords.invitation.submit} showsWrong={account_exists} />
      </form>
      {provider && (
        <form onSubmit={byProvider.onSubmit} className="space-y-4">
          <SubmitRow form={byProvider} label={signInWords.invitation.bySingleSignOn(provider)} look="plain" />
        </form>
      )}
    </Card>
  );
}
