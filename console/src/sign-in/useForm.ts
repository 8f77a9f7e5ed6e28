import { type FormEvent, useState } from 'react';
import { HubError } from '../api/client.ts';

/** The state of a form that calls the hub. */
export interface FormState {
  readonly isBusy: boolean;
  /** The refusal of the last attempt, if it is not about a field. */
  readonly error: Error | undefined;
  /** Whether the last attempt failed for a wrong address or password. */
  readonly isWrong: boolean;
  /** Whether the hub has asked for the code of a second factor. */
  readonly needsCode: boolean;
  /** Returns the problem of a field. */
  readonly problemOf: (field: string) => string | undefined;
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
}

/**
 * Sends a form with the fields of its inputs, and keeps what the hub says against it. What was typed stays.
 * @param send receives the value of a field, or of the button that was pressed, by its name
 */
export function useForm(send: (read: (field: string) => string) => Promise<void>): FormState {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<Error>();
  const [needsCode, setNeedsCode] = useState(false);
  const fields = error instanceof HubError ? error.fields : [];
  async function submit(form: FormData) {
    setBusy(true);
    setError(undefined);
    try {
      await send(field => String(form.get(field) ?? ''));
    } catch (thrown) {
      setError(thrown as Error);
      if (thrown instanceof HubError && thrown.code.startsWith('second_factor_')) setNeedsCode(true);
    } finally {
      setBusy(false);
    }
  }
  return {
    isBusy,
    error: fields.length > 0 ? undefined : error,
    isWrong: error instanceof HubError && error.code === 'sign_in_failed',
    needsCode,
    problemOf: field => fields.find(each => each.field === field)?.message,
    onSubmit: event => {
      event.preventDefault();
      const { submitter } = event.nativeEvent as SubmitEvent;
      void submit(new FormData(event.currentTarget, submitter));
    },
  };
}
