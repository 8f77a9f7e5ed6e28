import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { w } from '../words/en.ts';
import type { FormState } from './useForm.ts';

const MIN_PASSWORD_CHARACTERS = 12;

/** The name of the person who signs up. */
export function NameField({ form }: { form: FormState }) {
  return (
    <Field
      label={w.setup.name}
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
  label = w.signIn.password,
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
      hint={w.setup.passwordHint}
      problem={form.problemOf(field)}
    />
  );
}

/** The password that a person has. */
export function PasswordField({ form, wrong }: { form: FormState; wrong: string | undefined }) {
  return (
    <Field
      label={w.signIn.password}
      name="password"
      type="password"
      autoComplete="current-password"
      required
      problem={wrong ?? form.problemOf('password')}
    />
  );
}

/** The button of a form, below what the hub said against its last attempt. */
export function SubmitRow({ form, label, isKnown = false }: { form: FormState; label: string; isKnown?: boolean }) {
  return (
    <>
      {form.error && !isKnown && <ProblemNote error={form.error} />}
      <Button type="submit" look="main" className="h-9 w-full" disabled={form.isBusy}>
        {label}
      </Button>
    </>
  );
}
