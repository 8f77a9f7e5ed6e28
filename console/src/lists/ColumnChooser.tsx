import { Columns3, Plus } from 'lucide-react';
import { Popover } from 'radix-ui';
import type { FormEvent } from 'react';
import { Button } from '../ui/Button.tsx';
import { w } from '../words/en.ts';
import { toTitle } from './columns.tsx';

/** A column that can be shown. */
interface Choice {
  readonly id: string;
  readonly title: string;
}

/** Chooses the columns of a list: those of the page, and any property. The first one always stays. */
export function ColumnChooser({
  own,
  properties,
  shown,
  onChange,
}: {
  /** The columns of the page. */
  own: readonly Choice[];
  /** Properties that the form offers. */
  properties: readonly string[];
  /** IDs of the columns that are shown, in order. */
  shown: readonly string[];
  /** Takes the new columns; undefined for those of the page. */
  onChange: (columns: readonly string[] | undefined) => void;
}) {
  const first = own[0]!.id;
  const known = new Set(own.map(({ id }) => id));
  const added = shown.filter(id => !known.has(id));
  const choices = [...own.slice(1), ...added.map(id => ({ id, title: toTitle(id) }))];
  const set = (ids: readonly string[]) => {
    const isDefault = ids.length === own.length && own.every(({ id }, index) => ids[index] === id);
    onChange(isDefault ? undefined : ids);
  };
  const toggle = (id: string, isOn: boolean) => {
    const chosen = new Set(isOn ? [...shown, id] : shown.filter(each => each !== id));
    set([first, ...choices.map(each => each.id).filter(each => chosen.has(each))]);
  };
  function add(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const property = String(new FormData(form).get('property')).trim().toLowerCase().replace(/\s+/g, '_');
    form.reset();
    if (property !== '' && !shown.includes(property)) set([...shown, property]);
  }
  return (
    <Popover.Root>
      <Popover.Trigger className="soft inline-flex h-7 items-center gap-1 rounded-md border border-line-strong px-2 text-xs text-quiet hover:text-ink max-md:hidden">
        <Columns3 className="size-3" aria-hidden="true" />
        {w.columns.choose}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="start"
          sideOffset={4}
          aria-label={w.columns.choose}
          className="z-30 max-h-[70vh] w-64 overflow-y-auto rounded-md border border-line-strong bg-paper p-3"
        >
          <ul>
            {choices.map(({ id, title }) => (
              <li key={id}>
                <label className="flex h-7 items-center gap-2">
                  <input
                    type="checkbox"
                    checked={shown.includes(id)}
                    onChange={event => toggle(id, event.target.checked)}
                  />
                  {title}
                </label>
              </li>
            ))}
          </ul>
          <form onSubmit={add} className="mt-2 flex gap-1.5 border-t border-line pt-3">
            <input
              name="property"
              list="column-properties"
              required
              maxLength={80}
              pattern="[A-Za-z][A-Za-z0-9_. \-]*"
              aria-label={w.columns.property}
              placeholder={w.columns.property}
              className="field h-8 min-w-0"
            />
            <datalist id="column-properties">
              {properties
                .filter(each => !known.has(each))
                .map(each => (
                  <option key={each}>{each}</option>
                ))}
            </datalist>
            <Button type="submit" aria-label={w.columns.add} className="px-2">
              <Plus className="size-4" aria-hidden="true" />
            </Button>
          </form>
          <Button look="quiet" className="mt-2 w-full" onClick={() => onChange(undefined)}>
            {w.columns.reset}
          </Button>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
