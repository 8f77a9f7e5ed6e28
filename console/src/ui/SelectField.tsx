import { type ComponentProps, useId } from 'react';

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
  const id = useId();
  return (
    <div className="space-y-1">
      <label htmlFor={id} className="block font-medium">
        {label}
      </label>
      <select {...select} id={id} className="field max-md:h-11">
        {none !== undefined && <option value="">{none}</option>}
        {values.map(value => (
          <option key={value} value={value}>
            {nameOf(value)}
          </option>
        ))}
      </select>
      {hint !== undefined && <p className="text-xs text-quiet">{hint}</p>}
      {problem !== undefined && <p className="text-xs text-against">{problem}</p>}
    </div>
  );
}
