import { type ComponentProps, type ReactNode, useId } from 'react';

/** A labelled input with its hint and the problem that the hub or the browser found in it. */
export function Field({
  label,
  hint,
  problem,
  ...input
}: ComponentProps<'input'> & { label: string; hint?: ReactNode; problem?: string | undefined }) {
  const id = useId();
  const described = [hint !== undefined && `${id}-hint`, problem !== undefined && `${id}-problem`].filter(Boolean);
  return (
    <div className="space-y-1">
      <label htmlFor={id} className="block font-medium">
        {label}
      </label>
      <input
        {...input}
        id={id}
        aria-invalid={problem !== undefined}
        aria-describedby={described.length > 0 ? described.join(' ') : undefined}
        className="field max-md:h-11"
      />
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
