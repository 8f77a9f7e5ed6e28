import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { createHub } from '../api/client.ts';
import { useWorkspace } from '../api/workspace.tsx';
import { NewPasswordField, SubmitRow } from '../sign-in/fields.tsx';
import { useForm } from '../sign-in/useForm.ts';
import { Field } from '../ui/Field.tsx';
import { useToast } from '../ui/Toasts.tsx';
import { w } from '../words/en.ts';
import { Passkeys } from './Passkeys.tsx';
import { SecondFactor } from './SecondFactor.tsx';
import { SettingsHeader } from './SettingsHeader.tsx';

/** The name and the password of the person who is signed in. */
export function ProfilePage() {
  return (
    <>
      <SettingsHeader title={w.settings.profile} text={w.settings.profileText} />
      <div className="max-w-sm space-y-8">
        <NameForm />
        <PasswordForm />
        <SecondFactor />
        <Passkeys />
      </div>
    </>
  );
}

function NameForm() {
  const { user } = useWorkspace();
  const queries = useQueryClient();
  const tell = useToast();
  const form = useForm(async read => {
    await createHub().PATCH('/auth/me', { body: { name: read('name').trim() } });
    await queries.invalidateQueries({ queryKey: ['current user'] });
    tell({ text: w.profile.named });
  });
  return (
    <form onSubmit={form.onSubmit} className="space-y-4">
      <Field
        label={w.profile.name}
        name="name"
        autoComplete="name"
        required
        maxLength={200}
        defaultValue={user.name}
        hint={w.profile.signsInAs(user.email)}
        problem={form.problemOf('name')}
      />
      <SubmitRow form={form} label={w.profile.rename} />
    </form>
  );
}

function PasswordForm() {
  const { user } = useWorkspace();
  const tell = useToast();
  // A new key empties the fields: a password that was set does not stay on the page.
  const [round, setRound] = useState(0);
  const form = useForm(async read => {
    await createHub().PATCH('/auth/me', { body: { password: { current: read('current'), new: read('new') } } });
    setRound(count => count + 1);
    tell({ text: w.profile.changed });
  });
  return (
    <form key={round} onSubmit={form.onSubmit} className="space-y-4">
      <h2 className="font-semibold">{w.profile.password}</h2>
      <p className="text-quiet">{w.profile.passwordText}</p>
      <input type="hidden" name="username" autoComplete="username" value={user.email} readOnly />
      <Field
        label={w.profile.current}
        name="current"
        type="password"
        autoComplete="current-password"
        required
        problem={form.isWrong ? w.profile.wrong : form.problemOf('password.current')}
      />
      <NewPasswordField form={form} label={w.reset.password} name="new" field="password.new" />
      <SubmitRow form={form} label={w.profile.change} showsWrong />
    </form>
  );
}
