import { type Ref, useId, useState } from 'react';
import { w } from '../words/en.ts';
import { day } from '../words/when.ts';
import { toDayAxis, toEndOfDay, toNoon, toPosition } from './days.ts';

/** Turns the whole account to another day. */
export function DaySlider({
  label,
  hint,
  from,
  value,
  ref,
  onChange,
}: {
  label: string;
  /** What the day means. */
  hint: string;
  /** First day that can be chosen, in milliseconds. */
  from: number;
  value: string | undefined;
  /** Its input, which a key leads to. */
  ref?: Ref<HTMLInputElement>;
  onChange: (at: string | undefined) => void;
}) {
  const id = useId();
  const [today] = useState(() => Date.now());
  const [dragged, setDragged] = useState<number>();
  const axis = toDayAxis(from, today);
  const { last } = axis;
  const shown = dragged ?? (value === undefined ? last : toPosition(axis, Date.parse(value)));
  const text = shown >= last ? w.account.today : day(toNoon(axis, shown));
  function commit() {
    if (dragged !== undefined)
      onChange(dragged >= last ? undefined : new Date(toEndOfDay(axis, dragged)).toISOString());
    setDragged(undefined);
  }
  return (
    <div className="w-full sm:w-52" title={hint}>
      <div className="flex items-baseline justify-between text-xs">
        <label htmlFor={id} className="text-quiet">
          {label}
        </label>
        <span className="num font-medium">{text}</span>
      </div>
      <input
        id={id}
        ref={ref}
        type="range"
        min={0}
        max={last}
        value={shown}
        onChange={event => setDragged(Number(event.target.value))}
        onPointerUp={commit}
        onKeyUp={commit}
        onBlur={commit}
        aria-valuetext={text}
        className="block h-6 w-full"
      />
    </div>
  );
}
