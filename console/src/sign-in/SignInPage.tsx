import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { createHub, ExplainedError } from '../api/client.ts';
import { Field } from '../ui/Field.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { signInWords } from '../words/signIn.ts';
import { Card } from './Card.tsx';
import { CodeField, PasswordField, readCode, SubmitRow } from './fields.tsx';
import { signInByPasskey } from './passkeys.ts';
import { explainRefusal, signInAtProvider, signInState } from './singleSignOn.ts';
import { useForm } from './useForm.ts';

const route = getRouteApi('/sign-in');

/** Signs a person in, and leads back to where they came from. */
export function SignInPage() {
  const { to, refused } = route.useSearch();
  const state = useQuery(signInState);
  const form = useForm(async read => {
    const body = { email: read('email').trim(), password: read('password'), ...readCode(read) };
    await createHub().POST('/auth/sign-in', { body });
    location.assign(to ?? '/');
  });
  const byPasskey = useForm(async () => {
    await signInByPasskey();
    location.assign(to ?? '/');
  });
  const byProvider = useForm(() => signInAtProvider({ to }));
  const provider = state.data?.single_sign_on;
  return (
    <Card
      title={signInWords.signIn.title}
      text={state.data?.setup_required ? signInWords.signIn.setUpFirst : undefined}
    >
      {refused !== undefined && <ProblemNote error={new ExplainedError(explainRefusal(refused))} />}
      <form onSubmit={form.onSubmit} className="space-y-4">
        <Field label={signInWords.signIn.email} name="email" type="email" autoComplete="username" required autoFocus />
        <PasswordField form={form} wrong={signInWords.signIn.wrong} />
        {form.needsCode && <CodeField form={form} />}
        <SubmitRow form={form} label={form.isBusy ? signInWords.signIn.busy : signInWords.signIn.submit} showsWrong />
      </form>
      {provider && (
        <form onSubmit={byProvider.onSubmit} className="space-y-4">
          <SubmitRow form={byProvider} label={signInWords.signIn.bySingleSignOn(provider)} look="plain" />
        </form>
      )}
      <form onSubmit={byPasskey.onSubmit} className="space-y-4">
        <SubmitRow
          form={byPasskey}
          label={byPasskey.isBusy ? signInWords.passkeys.waiting : signInWords.signIn.byPasskey}
          look="plain"
        />
      </form>
      <p className="text-xs text-quiet">{signInWords.signIn.forgotten}</p>
    </Card>
  );
}
