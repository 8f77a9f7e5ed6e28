import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { bodyOf, createHub } from '../api/client.ts';
import { Field } from '../ui/Field.tsx';
import { w } from '../words/en.ts';
import { Card } from './Card.tsx';
import { CodeField, PasswordField, readCode, SubmitRow } from './fields.tsx';
import { signInByPasskey } from './passkeys.ts';
import { useForm } from './useForm.ts';

const route = getRouteApi('/sign-in');

/** Signs a person in, and leads back to where they came from. */
export function SignInPage() {
  const { to } = route.useSearch();
  const state = useQuery({
    queryKey: ['sign-in state'],
    queryFn: async ({ signal }) => bodyOf(await createHub().GET('/auth/state', { signal })),
  });
  const form = useForm(async read => {
    const body = { email: read('email').trim(), password: read('password'), ...readCode(read) };
    await createHub().POST('/auth/sign-in', { body });
    location.assign(to ?? '/');
  });
  const byPasskey = useForm(async () => {
    await signInByPasskey();
    location.assign(to ?? '/');
  });
  return (
    <Card title={w.signIn.title} text={state.data?.setup_required ? w.signIn.setUpFirst : undefined}>
      <form onSubmit={form.onSubmit} className="space-y-4">
        <Field label={w.signIn.email} name="email" type="email" autoComplete="username" required autoFocus />
        <PasswordField form={form} wrong={w.signIn.wrong} />
        {form.needsCode && <CodeField form={form} />}
        <SubmitRow form={form} label={form.isBusy ? w.signIn.busy : w.signIn.submit} showsWrong />
      </form>
      <form onSubmit={byPasskey.onSubmit} className="space-y-4">
        <SubmitRow form={byPasskey} label={byPasskey.isBusy ? w.passkeys.waiting : w.signIn.byPasskey} look="plain" />
      </form>
      <p className="text-xs text-quiet">{w.signIn.forgotten}</p>
    </Card>
  );
}
