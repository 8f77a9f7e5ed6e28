import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { bodyOf, createHub } from '../api/client.ts';
import type { Schemas } from '../api/schemas.ts';
import { CodeField, PasswordField, readCode, SubmitRow } from '../sign-in/fields.tsx';
import { addPasskey } from '../sign-in/passkeys.ts';
import { useForm } from '../sign-in/useForm.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Field } from '../ui/Field.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { useToast } from '../ui/Toasts.tsx';
import { settingsWords } from '../words/settings.ts';
import { signInWords } from '../words/signIn.ts';
import { ago, day } from '../words/when.ts';

const QUERY_KEY = ['passkeys'];

/** The passkeys of the person: which there are, and adding and removing one. */
export function Passkeys() {
  const [isAdding, setAdding] = useState(false);
  const list = useQuery({
    queryKey: QUERY_KEY,
    queryFn: async ({ signal }) => bodyOf(await createHub().GET('/auth/passkeys', { signal })).passkeys,
  });
  return (
    <section className="space-y-3">
      <h2 className="font-semibold">{signInWords.passkeys.title}</h2>
      <p className="text-quiet">{signInWords.passkeys.text}</p>
      {list.isPending && <Skeleton rows={1} height={32} />}
      {list.error && <ProblemNote error={list.error} onRetry={() => void list.refetch()} />}
      {list.data && list.data.length > 0 && (
        <ul aria-label={signInWords.passkeys.title} className="divide-y divide-line rounded-md border border-line">
          {list.data.map(passkey => (
            <PasskeyRow key={passkey.id} passkey={passkey} />
          ))}
        </ul>
      )}
      {list.data && <Button onClick={() => setAdding(true)}>{signInWords.passkeys.add}</Button>}
      {isAdding && <AddDialog onClose={() => setAdding(false)} />}
    </section>
  );
}

function PasskeyRow({ passkey }: { passkey: Schemas['Passkey'] }) {
  const { id, name, synced, created_at, last_used_at } = passkey;
  const queries = useQueryClient();
  const tell = useToast();
  const remove = useMutation({
    mutationFn: () => createHub().DELETE('/auth/passkeys/{id}', { params: { path: { id } } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: QUERY_KEY });
      tell({ text: signInWords.passkeys.removed(name) });
    },
  });
  return (
    <li className="flex items-center gap-3 px-3 py-2">
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium">{name}</p>
        <p className="text-xs text-quiet">
          {synced ? signInWords.passkeys.synced : signInWords.passkeys.onDevice} ·{' '}
          {signInWords.passkeys.since(day(created_at))} ·{' '}
          {last_used_at === null ? signInWords.passkeys.unused : signInWords.passkeys.used(ago(last_used_at))}
        </p>
        {remove.error && <ProblemNote error={remove.error} />}
      </div>
      <Button
        look="quiet"
        disabled={remove.isPending}
        aria-label={`${settingsWords.remove}: ${name}`}
        onClick={() => remove.mutate()}
      >
        {settingsWords.remove}
      </Button>
    </li>
  );
}

function AddDialog({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const tell = useToast();
  const form = useForm(async read => {
    const name = read('name').trim();
    await addPasskey(name, { password: read('password'), ...readCode(read) });
    await queries.invalidateQueries({ queryKey: QUERY_KEY });
    tell({ text: signInWords.passkeys.added(name) });
    onClose();
  });
  return (
    <Dialog
      label={signInWords.passkeys.add}
      titled
      onClose={onClose}
      className="m-auto w-[min(440px,calc(100vw-24px))] rounded-md border"
    >
      <form onSubmit={form.onSubmit} className="space-y-4 p-5">
        <Field
          label={settingsWords.name}
          name="name"
          required
          maxLength={200}
          placeholder={signInWords.passkeys.example}
          problem={form.problemOf('name')}
        />
        <PasswordField form={form} wrong={signInWords.profile.wrong} />
        {form.needsCode && <CodeField form={form} />}
        <SubmitRow
          form={form}
          label={form.isBusy ? signInWords.passkeys.waiting : signInWords.secondFactor.next}
          showsWrong
        />
      </form>
    </Dialog>
  );
}
