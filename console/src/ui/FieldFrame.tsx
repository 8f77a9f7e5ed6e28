import { type ReactNode, useId } from 'react';

/** What ties an input to its label, its hint and its problem. */
export interface FramedInput {
  readonly id: string;
  readonly 'aria-invalid': boolean;
  readonly 'aria-describedby': string | undefined;
}

/** The label of an input, its hint, and the problem that the hub or the browser found in it. */
export function FieldFrame({
  label,
  hint,
  problem,
  children,
}: {
  label: string;
  hint?: ReactNode;
  problem?: string | undefined;
  /** Draws the input. */
  children: (input: FramedInput) => ReactNode;
}) {
  const id = useId();
  const described = [hint !== undefined && `${id}-hint`, problem !== undefined && `${id}-problem`].filter(Boolean);
  return (
    <div className="space-y-1">
      <label htmlFor={id} className="block font-medium">
        {label}
      </label>
      {children({
        id,
        'aria-invalid': problem !== undefined,
        'aria-describedby': described.length > 0 ? described.join(' ') : undefined,
      })}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-xs text-quiet">
          {hint}
        </p>
      )}
      {problem !== undefined && (
        <p id={`${id}-problem`} className="text-xs text-against">
          {problem}
        </p>
      )}
    </div>
  );
}
