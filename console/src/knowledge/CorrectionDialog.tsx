import { type FormEvent, useState } from 'react';
import { toText } from '../words/text.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Field } from '../ui/Field.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { toLabel, w } from '../words/en.ts';
import type { Claim } from './types.ts';
import { useStatement } from './useStatement.ts';

/** States another value of a claim, or that the fact has ended. */
export function CorrectionDialog({ account, claim, onClose }: { account: string; claim: Claim; onClose: () => void }) {
  const state = useStatement(account, claim.property);
  const [typed, setTyped] = useState(claim.value_type === 'string' ? toText(claim.value) : '');
  function submit(event: FormEvent) {
    event.preventDefault();
    state.mutate(toValue(typed.trim(), claim.value_type), { onSuccess: onClose });
  }
  return (
    <Dialog
      label={w.evidence.correctTitle(toLabel(claim.property))}
      titled
      onClose={onClose}
      className="m-auto w-[min(440px,calc(100vw-24px))] rounded-md border"
    >
      <form onSubmit={submit} className="space-y-4 p-5">
        <Field
          label={w.evidence.newValue}
          value={typed}
          onChange={event => setTyped(event.target.value)}
          required
          hint={w.evidence.correctHint}
        />
        {state.error && <ProblemNote error={state.error} />}
        <div className="flex flex-wrap justify-end gap-2">
          <Button
            look="danger"
            disabled={state.isPending || claim.status === 'ended'}
            onClick={() => state.mutate(null, { onSuccess: onClose })}
          >
            {w.evidence.end}
          </Button>
          <Button type="submit" look="main" disabled={state.isPending}>
            {w.evidence.save}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** A number stays a number; everything else is stated as it was typed. */
function toValue(typed: string, type: Claim['value_type']): unknown {
  return type === 'number' && typed !== '' && Number.isFinite(Number(typed)) ? Number(typed) : typed;
}
