import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { bodyOf, createHub } from '../api/client.ts';
import type { Schemas } from '../api/schemas.ts';
import { CodeField, PasswordField, SubmitRow } from '../sign-in/fields.tsx';
import { type FormState, useForm } from '../sign-in/useForm.ts';
import { Button } from '../ui/Button.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { saveFile } from '../ui/saveFile.ts';
import { Skeleton } from '../ui/Skeleton.tsx';
import { useToast } from '../ui/Toasts.tsx';
import { settingsWords } from '../words/settings.ts';
import { signInWords } from '../words/signIn.ts';
import { QrCode } from './QrCode.tsx';

const QUERY_KEY = ['second factor'];
type Task = 'set-up' | 'recovery-codes' | 'disable';

/** The second factor of the person: whether it is on, and its setup, recovery codes and end. */
export function SecondFactor() {
  const [task, setTask] = useState<Task>();
  const state = useQuery({
    queryKey: QUERY_KEY,
    queryFn: async ({ signal }) => bodyOf(await createHub().GET('/auth/second-factor', { signal })),
  });
  const close = () => setTask(undefined);
  return (
    <section className="space-y-3">
      <h2 className="font-semibold">{signInWords.secondFactor.title}</h2>
      {state.isPending && <Skeleton rows={1} height={32} />}
      {state.error && <ProblemNote error={state.error} onRetry={() => void state.refetch()} />}
      {state.data && (
        <>
          <p className="text-quiet">
            {state.data.enabled
              ? signInWords.secondFactor.on(state.data.recovery_codes_left)
              : signInWords.secondFactor.off}
          </p>
          <div className="flex flex-wrap gap-2">
            {state.data.enabled ? (
              <>
                <Button onClick={() => setTask('recovery-codes')}>{signInWords.secondFactor.newCodes}</Button>
                <Button onClick={() => setTask('disable')}>{signInWords.secondFactor.disable}</Button>
              </>
            ) : (
              <Button onClick={() => setTask('set-up')}>{signInWords.secondFactor.setUp}</Button>
            )}
          </div>
        </>
      )}
      {task === 'set-up' && <SetUpDialog onClose={close} />}
      {task === 'recovery-codes' && <NewCodesDialog onClose={close} />}
      {task === 'disable' && <DisableDialog onClose={close} />}
    </section>
  );
}

/** Leads from the password over the authenticator app to the recovery codes. */
function SetUpDialog({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const [setup, setSetup] = useState<Schemas['SecondFactorSetup']>();
  const [isConfirmed, setConfirmed] = useState(false);
  const begin = useForm(async read => {
    const body = { password: read('password') };
    setSetup(bodyOf(await createHub().POST('/auth/second-factor', { body })));
  });
  const confirm = useForm(async read => {
    const state = bodyOf(await createHub().POST('/auth/second-factor/confirm', { body: { code: read('code') } }));
    queries.setQueryData(QUERY_KEY, state);
    setConfirmed(true);
  });
  return (
    <TaskDialog label={signInWords.secondFactor.setUp} onClose={onClose}>
      {!setup && (
        <form key="password" onSubmit={begin.onSubmit} className="space-y-4">
          <p className="text-quiet">{signInWords.secondFactor.passwordFirst}</p>
          <PasswordField form={begin} wrong={signInWords.profile.wrong} />
          <SubmitRow form={begin} label={signInWords.secondFactor.next} showsWrong />
        </form>
      )}
      {setup && !isConfirmed && (
        <form key="code" onSubmit={confirm.onSubmit} className="space-y-4">
          <p>{signInWords.secondFactor.scan}</p>
          <QrCode text={setup.uri} label={signInWords.secondFactor.qrCode} />
          <p className="text-quiet">
            {signInWords.secondFactor.typeSecret} <CopyButton text={setup.secret} />
          </p>
          <CodeField form={confirm} hint={signInWords.secondFactor.codeHint} />
          <SubmitRow form={confirm} label={signInWords.secondFactor.turnOn} />
        </form>
      )}
      {setup && isConfirmed && <RecoveryCodes codes={setup.recovery_codes} onClose={onClose} />}
    </TaskDialog>
  );
}

function NewCodesDialog({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const [codes, setCodes] = useState<readonly string[]>();
  const form = useForm(async read => {
    const body = { password: read('password'), code: read('code') };
    setCodes(bodyOf(await createHub().POST('/auth/second-factor/recovery-codes', { body })).recovery_codes);
    await queries.invalidateQueries({ queryKey: QUERY_KEY });
  });
  return (
    <TaskDialog label={signInWords.secondFactor.newCodes} onClose={onClose}>
      {codes ? (
        <RecoveryCodes codes={codes} onClose={onClose} />
      ) : (
        <ProofForm form={form} text={signInWords.secondFactor.newCodesText} label={signInWords.secondFactor.newCodes} />
      )}
    </TaskDialog>
  );
}

function DisableDialog({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const tell = useToast();
  const form = useForm(async read => {
    const body = { password: read('password'), code: read('code') };
    queries.setQueryData(QUERY_KEY, bodyOf(await createHub().POST('/auth/second-factor/disable', { body })));
    tell({ text: signInWords.secondFactor.disabled });
    onClose();
  });
  return (
    <TaskDialog label={signInWords.secondFactor.disable} onClose={onClose}>
      <ProofForm form={form} text={signInWords.secondFactor.disableText} label={signInWords.secondFactor.disable} />
    </TaskDialog>
  );
}

/** The password and a code, which every change of a second factor takes. */
function ProofForm({ form, text, label }: { form: FormState; text: string; label: string }) {
  return (
    <form onSubmit={form.onSubmit} className="space-y-4">
      <p className="text-quiet">{text}</p>
      <PasswordField form={form} wrong={signInWords.profile.wrong} />
      <CodeField form={form} />
      <SubmitRow form={form} label={label} showsWrong />
    </form>
  );
}

/** Recovery codes, which the hub shows this once. */
function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const text = codes.join('\n');
  return (
    <div className="space-y-4">
      <p>{signInWords.secondFactor.keepCodes}</p>
      <ul aria-label={signInWords.secondFactor.codes} className="num grid grid-cols-2 gap-2 rounded-md bg-sunk p-3">
        {codes.map(code => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={text} short={signInWords.secondFactor.copyCodes} className="min-h-8 max-md:min-h-11" />
        <Button
          onClick={() => saveFile(new Blob([`${text}\n`], { type: 'text/plain' }), signInWords.secondFactor.fileName)}
        >
          {signInWords.secondFactor.saveCodes}
        </Button>
        <Button look="main" onClick={onClose}>
          {settingsWords.done}
        </Button>
      </div>
    </div>
  );
}

function TaskDialog({ label, onClose, children }: { label: string; onClose: () => void; children: ReactNode }) {
  return (
    <Dialog label={label} titled onClose={onClose} className="m-auto w-[min(440px,calc(100vw-24px))] rounded-md border">
      <div className="p-5">{children}</div>
    </Dialog>
  );
}
