import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { createHub } from '../api/client.ts';
import { signInWords } from '../words/signIn.ts';
import { Card } from './Card.tsx';
import { NewPasswordField, SubmitRow } from './fields.tsx';
import { useForm } from './useForm.ts';

const route = getRouteApi('/reset/$token');

/** Sets a new password for a person who forgot it. */
export function ResetPage() {
  const { token } = route.useParams();
  const [isDone, setDone] = useState(false);
  const form = useForm(async read => {
    await createHub().POST('/auth/password/reset', { body: { token, password: read('password') } });
    setDone(true);
  });
  if (isDone) {
    return (
      <Card title={signInWords.reset.done} text={signInWords.reset.doneText}>
        <Link to="/sign-in" className="font-medium text-accent underline underline-offset-2">
          {signInWords.secret.signIn}
        </Link>
      </Card>
    );
  }
  return (
    <Card title={signInWords.reset.title} text={signInWords.reset.text}>
      <form onSubmit={form.onSubmit} className="space-y-4">
        <NewPasswordField form={form} label={signInWords.reset.password} />
        <SubmitRow form={form} label={signInWords.reset.submit} />
      </form>
    </Card>
  );
}
