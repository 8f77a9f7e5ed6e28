import { cn } from './cn.ts';

/** Buttons of which one is pressed. They scroll sideways where they are wider than the page. */
export function Choices<Value extends string>({
  label,
  values,
  chosen,
  nameOf,
  onChoose,
  className,
}: {
  /** Says what is chosen. */
  label: string;
  values: readonly Value[];
  chosen: Value;
  nameOf: (value: Value) => string;
  onChoose: (value: Value) => void;
  className?: string;
}) {
  return (
    <div role="group" aria-label={label} className={cn('flex max-w-full gap-0.5 overflow-x-auto', className)}>
      {values.map(value => (
        <button
          key={value}
          type="button"
          aria-pressed={value === chosen}
          onClick={() => onChoose(value)}
          className={cn(
            'soft h-7 rounded-md px-2.5 text-xs whitespace-nowrap max-md:h-11',
            value === chosen ? 'bg-sunk font-medium' : 'text-quiet hover:text-ink',
          )}
        >
          {nameOf(value)}
        </button>
      ))}
    </div>
  );
}
