import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { createHub } from '../api/client.ts';
import { w } from '../words/en.ts';
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
      <Card title={w.reset.done} text={w.reset.doneText}>
        <Link to="/sign-in" className="font-medium text-accent underline underline-offset-2">
          {w.secret.signIn}
        </Link>
      </Card>
    );
  }
  return (
    <Card title={w.reset.title} text={w.reset.text}>
      <form onSubmit={form.onSubmit} className="space-y-4">
        <NewPasswordField form={form} label={w.reset.password} />
        <SubmitRow form={form} label={w.reset.submit} />
      </form>
    </Card>
  );
}
