import { useState } from 'react';
import { settingsWords } from '../words/settings.ts';
import { Button } from './Button.tsx';
import { Dialog } from './Dialog.tsx';
import { Field } from './Field.tsx';
import { ProblemNote } from './ProblemNote.tsx';

/** Asks for the name of a thing before something is done to it that cannot be undone. */
export function ConfirmByName({
  title,
  text,
  name,
  action,
  isBusy,
  error,
  onConfirm,
  onClose,
}: {
  title: string;
  text: string;
  /** What must be typed. */
  name: string;
  /** Names what is done, on the button. */
  action: string;
  isBusy: boolean;
  error: Error | null;
  onConfirm: () => void;
  onClose: () => void;
}) {
  const [typed, setTyped] = useState('');
  return (
    <Dialog label={title} titled onClose={onClose} className="m-auto w-[min(440px,calc(100vw-24px))] rounded-md border">
      <form
        className="space-y-4 p-5"
        onSubmit={event => {
          event.preventDefault();
          onConfirm();
        }}
      >
        <p>{text}</p>
        <Field
          label={settingsWords.name}
          value={typed}
          onChange={event => setTyped(event.target.value)}
          autoComplete="off"
        />
        {error && <ProblemNote error={error} />}
        <Button type="submit" look="danger" className="w-full" disabled={typed.trim() !== name || isBusy}>
          {action}
        </Button>
      </form>
    </Dialog>
  );
}
