import type { ComponentProps, ReactNode } from 'react';
import { FieldFrame } from './FieldFrame.tsx';

/** A labelled input with its hint and the problem that the hub or the browser found in it. */
export function Field({
  label,
  hint,
  problem,
  ...input
}: ComponentProps<'input'> & { label: string; hint?: ReactNode; problem?: string | undefined }) {
  return (
    <FieldFrame label={label} hint={hint} problem={problem}>
      {framed => <input {...input} {...framed} className="field max-md:h-11" />}
    </FieldFrame>
  );
}
