import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { bodyOf, createHub, HubError } from '../api/client.ts';
import { Field } from '../ui/Field.tsx';
import { w } from '../words/en.ts';
import { Card } from './Card.tsx';
import { PasswordField, SubmitRow } from './fields.tsx';
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
    await createHub().POST('/auth/sign-in', { body: { email: read('email').trim(), password: read('password') } });
    location.assign(to ?? '/');
  });
  const isWrong = form.error instanceof HubError && form.error.code === 'sign_in_failed';
  return (
    <Card title={w.signIn.title} text={state.data?.setup_required ? w.signIn.setUpFirst : undefined}>
      <form onSubmit={form.onSubmit} className="space-y-4">
        <Field label={w.signIn.email} name="email" type="email" autoComplete="username" required autoFocus />
        <PasswordField form={form} wrong={isWrong ? w.signIn.wrong : undefined} />
        <SubmitRow form={form} label={form.isBusy ? w.signIn.busy : w.signIn.submit} isKnown={isWrong} />
      </form>
      <p className="text-xs text-quiet">{w.signIn.forgotten}</p>
    </Card>
  );
}
