import { getRouteApi } from '@tanstack/react-router';
import { bodyOf, createHub } from '../api/client.ts';
import { Field } from '../ui/Field.tsx';
import { signInWords } from '../words/signIn.ts';
import { Card } from './Card.tsx';
import { CodeField, NameField, NewPasswordField, readCode, SubmitRow } from './fields.tsx';
import { SecretPage } from './SecretPage.tsx';
import { useForm } from './useForm.ts';

const route = getRouteApi('/setup/$code');

/** Creates the account of the first owner of a workspace. */
export function SetupPage() {
  const { code } = route.useParams();
  const params = { path: { code } };
  return (
    <SecretPage
      name="setup"
      secret={code}
      load={async () => bodyOf(await createHub().GET('/auth/setup/{code}', { params }))}
    >
      {({ workspace_name }) => <SetupForm code={code} workspaceName={workspace_name} />}
    </SecretPage>
  );
}

function SetupForm({ code, workspaceName }: { code: string; workspaceName: string }) {
  const form = useForm(async read => {
    const body = {
      name: read('name').trim(),
      email: read('email').trim(),
      password: read('password'),
      ...readCode(read),
      workspace_name: read('workspace_name').trim(),
    };
    await createHub().POST('/auth/setup/{code}', { params: { path: { code } }, body });
    location.assign('/');
  });
  return (
    <Card title={signInWords.setup.title} text={signInWords.setup.text}>
      <form onSubmit={form.onSubmit} className="space-y-4">
        <Field
          label={signInWords.setup.workspace}
          name="workspace_name"
          defaultValue={workspaceName}
          required
          maxLength={200}
          problem={form.problemOf('workspace_name')}
        />
        <NameField form={form} />
        <Field
          label={signInWords.signIn.email}
          name="email"
          type="email"
          autoComplete="username"
          required
          problem={form.problemOf('email')}
        />
        <NewPasswordField form={form} />
        {form.needsCode && <CodeField form={form} />}
        <SubmitRow form={form} label={signInWords.setup.submit} />
      </form>
    </Card>
  );
}
