import { Columns3, Plus } from 'lucide-react';
import { Popover } from 'radix-ui';
import type { FormEvent } from 'react';
import { Button } from '../ui/Button.tsx';
import { w } from '../words/en.ts';
import { toTitle } from './columns.tsx';
import { PropertyInput, toPropertyName } from './PropertyInput.tsx';
import { useProperties } from './useProperties.ts';
import type { ViewResource } from './views.ts';

/** A column that can be shown. */
interface Choice {
  readonly id: string;
  readonly title: string;
}

/** Chooses the columns of a list: those of the page, and any property. The first one always stays. */
export function ColumnChooser({
  own,
  resource,
  shown,
  onChange,
}: {
  /** The columns of the page. */
  own: readonly Choice[];
  resource: ViewResource;
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
          <AddColumn resource={resource} known={known} shown={shown} onAdd={id => set([...shown, id])} />
          <Button look="quiet" className="mt-2 w-full" onClick={() => onChange(undefined)}>
            {w.columns.reset}
          </Button>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function AddColumn({
  resource,
  known,
  shown,
  onAdd,
}: {
  resource: ViewResource;
  /** Columns that can be ticked, so they need not be offered. */
  known: ReadonlySet<string>;
  shown: readonly string[];
  onAdd: (property: string) => void;
}) {
  const properties = useProperties(resource);
  function add(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const property = toPropertyName(String(new FormData(form).get('property')));
    form.reset();
    if (property !== '' && !shown.includes(property)) onAdd(property);
  }
  return (
    <form onSubmit={add} className="mt-2 flex gap-1.5 border-t border-line pt-3">
      <PropertyInput
        name="property"
        properties={properties.filter(({ name }) => !known.has(name))}
        aria-label={w.columns.property}
        placeholder={w.columns.property}
        className="field h-8 min-w-0"
      />
      <Button type="submit" aria-label={w.columns.add} className="px-2">
        <Plus className="size-4" aria-hidden="true" />
      </Button>
    </form>
  );
}
