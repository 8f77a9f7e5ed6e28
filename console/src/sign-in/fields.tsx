import { HubError } from '../api/client.ts';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { signInWords } from '../words/signIn.ts';
import type { FormState } from './useForm.ts';

const MIN_PASSWORD_CHARACTERS = 12;

/** The name of the person who signs up. */
export function NameField({ form }: { form: FormState }) {
  return (
    <Field
      label={signInWords.setup.name}
      name="name"
      autoComplete="name"
      required
      maxLength={200}
      problem={form.problemOf('name')}
    />
  );
}

/** A password that a person chooses. */
export function NewPasswordField({
  form,
  label = signInWords.signIn.password,
  name = 'password',
  field = name,
}: {
  form: FormState;
  label?: string;
  name?: string;
  /** Name that the API gives the field. */
  field?: string;
}) {
  return (
    <Field
      label={label}
      name={name}
      type="password"
      autoComplete="new-password"
      required
      minLength={MIN_PASSWORD_CHARACTERS}
      hint={signInWords.setup.passwordHint}
      problem={form.problemOf(field)}
    />
  );
}

/**
 * The password that a person has.
 * @param wrong what is said against a wrong one
 */
export function PasswordField({ form, wrong }: { form: FormState; wrong: string }) {
  return (
    <Field
      label={signInWords.signIn.password}
      name="password"
      type="password"
      autoComplete="current-password"
      required
      problem={form.isWrong ? wrong : form.problemOf('password')}
    />
  );
}

/** The code of a second factor. */
export function CodeField({ form, hint = signInWords.signIn.codeHint }: { form: FormState; hint?: string }) {
  const isRefused = form.error instanceof HubError && form.error.code === 'second_factor_failed';
  return (
    <Field
      label={signInWords.signIn.code}
      name="code"
      autoComplete="one-time-code"
      autoFocus
      required
      maxLength={32}
      hint={hint}
      problem={isRefused ? signInWords.signIn.wrongCode : form.problemOf('code')}
    />
  );
}

/** Returns the code of a form as a field of its request; none if the form did not ask for it. */
export function readCode(read: (field: string) => string): { code?: string } {
  const code = read('code').trim();
  return code === '' ? {} : { code };
}

const SHOWN_AT_FIELDS: ReadonlySet<string> = new Set(['second_factor_required', 'second_factor_failed']);

/**
 * The button of a form, below what the hub said against its last attempt.
 * @param showsWrong whether a field of the form says that the password is wrong
 */
export function SubmitRow({
  form,
  label,
  showsWrong = false,
  look = 'main',
}: {
  form: FormState;
  label: string;
  showsWrong?: boolean;
  look?: 'main' | 'plain';
}) {
  const { error, isWrong } = form;
  const isShown = (isWrong && showsWrong) || (error instanceof HubError && SHOWN_AT_FIELDS.has(error.code));
  return (
    <>
      {error && !isShown && <ProblemNote error={error} />}
      <Button type="submit" look={look} className="h-9 w-full" disabled={form.isBusy}>
        {label}
      </Button>
    </>
  );
}
