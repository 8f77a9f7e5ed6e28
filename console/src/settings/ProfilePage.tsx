import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { createHub } from '../api/client.ts';
import { useWorkspace } from '../api/workspace.tsx';
import { currentUser } from '../shell/currentUser.ts';
import { NewPasswordField, SubmitRow } from '../sign-in/fields.tsx';
import { useForm } from '../sign-in/useForm.ts';
import { Field } from '../ui/Field.tsx';
import { useToast } from '../ui/Toasts.tsx';
import { settingsWords } from '../words/settings.ts';
import { signInWords } from '../words/signIn.ts';
import { ListSetting } from './ListSetting.tsx';
import { Passkeys } from './Passkeys.tsx';
import { SecondFactor } from './SecondFactor.tsx';
import { SettingsHeader } from './SettingsHeader.tsx';
import { SingleSignOn } from './SingleSignOn.tsx';

const route = getRouteApi('/w/$workspace/settings/profile');

/** The name of the person who is signed in, and by what they sign in. Second factor and passkeys need a password. */
export function ProfilePage() {
  const { refused } = route.useSearch();
  const { data } = useQuery(currentUser);
  return (
    <>
      <SettingsHeader title={settingsWords.profile} text={settingsWords.profileText} />
      <div className="max-w-sm space-y-8">
        <NameForm />
        <SingleSignOn refused={refused} />
        {data?.has_password && (
          <>
            <PasswordForm />
            <SecondFactor />
            <Passkeys />
          </>
        )}
        <ListSetting />
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
    tell({ text: signInWords.profile.named });
  });
  return (
    <form onSubmit={form.onSubmit} className="space-y-4">
      <Field
        label={signInWords.profile.name}
        name="name"
        autoComplete="name"
        required
        maxLength={200}
        defaultValue={user.name}
        hint={signInWords.profile.signsInAs(user.email)}
        problem={form.problemOf('name')}
      />
      <SubmitRow form={form} label={signInWords.profile.rename} />
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
    tell({ text: signInWords.profile.changed });
  });
  return (
    <form key={round} onSubmit={form.onSubmit} className="space-y-4">
      <h2 className="font-semibold">{signInWords.profile.password}</h2>
      <p className="text-quiet">{signInWords.profile.passwordText}</p>
      <input type="hidden" name="username" autoComplete="username" value={user.email} readOnly />
      <Field
        label={signInWords.profile.current}
        name="current"
        type="password"
        autoComplete="current-password"
        required
        problem={form.isWrong ? signInWords.profile.wrong : form.problemOf('password.current')}
      />
      <NewPasswordField form={form} label={signInWords.reset.password} name="new" field="password.new" />
      <SubmitRow form={form} label={signInWords.profile.change} showsWrong />
    </form>
  );
}
