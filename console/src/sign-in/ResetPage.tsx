import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { createHub } from '../api/client.ts';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { w } from '../words/en.ts';
import { Card } from './Card.tsx';
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
        <Field
          label={w.reset.password}
          name="password"
          type="password"
          autoComplete="new-password"
          required
          minLength={12}
          hint={w.setup.passwordHint}
          problem={form.problemOf('password')}
        />
        {form.error && <ProblemNote error={form.error} />}
        <Button type="submit" look="main" className="h-9 w-full" disabled={form.isBusy}>
          {w.reset.submit}
        </Button>
      </form>
    </Card>
  );
}
