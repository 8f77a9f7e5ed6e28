import type { ComponentProps } from 'react';
import { cn } from './cn.ts';

const LOOKS = {
  main: 'bg-accent text-on-accent border-accent hover:opacity-90',
  plain: 'bg-paper border-line-strong hover:bg-panel',
  danger: 'bg-paper border-against text-against hover:bg-against-soft',
  quiet: 'border-transparent text-quiet hover:bg-sunk hover:text-ink',
} as const;

/**
 * A button.
 * @param reason why the button cannot be used; it is then disabled and says so
 */
export function Button({
  look = 'plain',
  reason,
  className,
  ...rest
}: ComponentProps<'button'> & { look?: keyof typeof LOOKS; reason?: string | undefined }) {
  return (
    <button
      type="button"
      {...rest}
      title={reason ?? rest.title}
      disabled={rest.disabled || reason !== undefined}
      className={cn(
        'soft inline-flex h-8 items-center justify-center gap-1.5 rounded-md border px-3 font-medium whitespace-nowrap',
        'disabled:cursor-not-allowed disabled:opacity-60 max-md:h-11',
        LOOKS[look],
        className,
      )}
    />
  );
}
