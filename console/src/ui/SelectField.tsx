import type { ComponentProps } from 'react';
import { FieldFrame } from './FieldFrame.tsx';

/** A labelled choice of one of several values, with its hint and the problem that the hub found in it. */
export function SelectField({
  label,
  values,
  nameOf,
  none,
  hint,
  problem,
  ...select
}: ComponentProps<'select'> & {
  label: string;
  values: readonly string[];
  nameOf: (value: string) => string;
  /** Stands for no choice; left out where one must be made. */
  none?: string | undefined;
  hint?: string | undefined;
  problem?: string | undefined;
}) {
  return (
    <FieldFrame label={label} hint={hint} problem={problem}>
      {framed => (
        <select {...select} {...framed} className="field max-md:h-11">
          {none !== undefined && <option value="">{none}</option>}
          {values.map(value => (
            <option key={value} value={value}>
              {nameOf(value)}
            </option>
          ))}
        </select>
      )}
    </FieldFrame>
  );
}
