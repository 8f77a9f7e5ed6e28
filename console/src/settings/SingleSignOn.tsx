import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { bodyOf, createHub, ExplainedError } from '../api/client.ts';
import { currentUser } from '../shell/currentUser.ts';
import { CodeField, PasswordField, readCode, SubmitRow } from '../sign-in/fields.tsx';
import { explainRefusal } from '../sign-in/singleSignOn.ts';
import { useForm } from '../sign-in/useForm.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { useToast } from '../ui/Toasts.tsx';
import { signInWords } from '../words/signIn.ts';

const words = signInWords.singleSignOn;

/** Single sign-on of the person: whether it is connected, and how it is connected and disconnected. */
export function SingleSignOn({ refused }: { refused: string | undefined }) {
  const [isOpen, setOpen] = useState(false);
  const { data } = useQuery(currentUser);
  if (!data?.single_sign_on) return null;
  const { provider_name, connected } = data.single_sign_on;
  return (
    <section className="space-y-3">
      <h2 className="font-semibold">{words.title(provider_name)}</h2>
      <p className="text-quiet">{connected ? (data.has_password ? words.on : words.only(provider_name)) : words.off}</p>
      {refused !== undefined && <ProblemNote error={new ExplainedError(explainRefusal(refused))} />}
      {data.has_password && (
        <Button onClick={() => setOpen(true)}>{connected ? words.disconnect : words.connect}</Button>
      )}
      {isOpen && <ProofDialog provider={provider_name} isConnected={connected} onClose={() => setOpen(false)} />}
    </section>
  );
}

/** Asks for the password, and leads to the provider or disconnects it. */
function ProofDialog({
  provider,
  isConnected,
  onClose,
}: {
  provider: string;
  isConnected: boolean;
  onClose: () => void;
}) {
  const queries = useQueryClient();
  const tell = useToast();
  const form = useForm(async read => {
    const proof = { password: read('password'), ...readCode(read) };
    if (isConnected) {
      await createHub().POST('/auth/single-sign-on/disconnect', { body: proof });
      await queries.invalidateQueries({ queryKey: currentUser.queryKey });
      tell({ text: words.disconnected });
      onClose();
      return;
    }
    const body = { ...proof, to: location.pathname };
    location.assign(bodyOf(await createHub().POST('/auth/single-sign-on/connect', { body })).url);
  });
  return (
    <Dialog
      label={isConnected ? words.disconnect : words.connect}
      titled
      onClose={onClose}
      className="m-auto w-[min(440px,calc(100vw-24px))] rounded-md border"
    >
      <form onSubmit={form.onSubmit} className="space-y-4 p-5">
        <p className="text-quiet">{isConnected ? words.disconnectText : words.connectText(provider)}</p>
        <PasswordField form={form} wrong={signInWords.profile.wrong} />
        {form.needsCode && <CodeField form={form} />}
        <SubmitRow form={form} label={isConnected ? words.disconnect : signInWords.secondFactor.next} showsWrong />
      </form>
    </Dialog>
  );
}
