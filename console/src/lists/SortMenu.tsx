import { ArrowUpDown } from 'lucide-react';
import { Popover } from 'radix-ui';
import { type FormEvent, useState } from 'react';
import { Button } from '../ui/Button.tsx';
import { w } from '../words/en.ts';
import { PropertyField, toPropertyName } from './PropertyInput.tsx';
import { readSort, SORT_KINDS, type SortKind, type SortOrder, toSort } from './sort.ts';
import { useProperties } from './useProperties.ts';
import type { ViewResource } from './views.ts';

interface SortMenuProps {
  readonly resource: ViewResource;
  /** Fields of the list to offer beside the properties. */
  readonly fields: readonly string[];
  /** The `sort` of the API; undefined for the usual order. */
  readonly sort: string | undefined;
  readonly onSort: (sort: string | undefined) => void;
}

/** Says how a list is sorted, and sorts it by the value of a property, by how sure it is or by how fresh it is. */
export function SortMenu({ resource, fields, sort, onSort }: SortMenuProps) {
  const [isOpen, setOpen] = useState(false);
  const order = readSort(sort);
  function choose(next: string | undefined) {
    onSort(next);
    setOpen(false);
  }
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger className="soft inline-flex h-7 max-w-72 items-center gap-1 rounded-md border border-line-strong px-2 text-xs text-quiet hover:text-ink max-md:h-11">
        <ArrowUpDown className="size-3 shrink-0" aria-hidden="true" />
        <span className="truncate">{sort === undefined ? w.sort.choose : w.sort.sentence(order, sort)}</span>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="start"
          sideOffset={4}
          aria-label={w.sort.choose}
          className="z-30 w-72 rounded-md border border-line-strong bg-paper p-3"
        >
          <SortForm resource={resource} fields={fields} order={order} onChoose={choose} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function SortForm({
  resource,
  fields,
  order,
  onChoose,
}: {
  resource: ViewResource;
  fields: readonly string[];
  order: SortOrder | undefined;
  onChoose: (sort: string | undefined) => void;
}) {
  const properties = useProperties(resource);
  const [name, setName] = useState(order?.property ?? '');
  const [kind, setKind] = useState<SortKind>(order?.kind ?? 'value');
  const property = toPropertyName(name);
  const known = properties.find(each => each.name === property);
  // A field of the list is no fact, so it is neither sure nor fresh; a fact with several values has no order of its own.
  const takes = (each: SortKind) => (each === 'value' ? known?.sortable !== false : !fields.includes(property));
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const descending = new FormData(event.currentTarget).get('direction') === 'descending';
    onChoose(toSort({ property, kind, descending }));
  }
  return (
    <form onSubmit={submit} className="space-y-3">
      <PropertyField properties={properties} fields={fields} known={known} value={name} onChange={setName} />
      <label className="block space-y-1">
        <span className="font-medium">{w.sort.by}</span>
        <select value={kind} onChange={event => setKind(event.target.value as SortKind)} className="field">
          {SORT_KINDS.map(each => (
            <option key={each} value={each} disabled={!takes(each)}>
              {w.sort.kinds[each]}
            </option>
          ))}
        </select>
      </label>
      <label className="block space-y-1">
        <span className="font-medium">{w.sort.direction}</span>
        <select
          key={kind}
          name="direction"
          defaultValue={order?.descending ? 'descending' : 'ascending'}
          className="field"
        >
          <option value="ascending">{w.sort.directions[kind].ascending}</option>
          <option value="descending">{w.sort.directions[kind].descending}</option>
        </select>
      </label>
      <div className="flex gap-2">
        <Button type="submit" look="main" className="flex-1">
          {w.sort.apply}
        </Button>
        <Button look="quiet" onClick={() => onChoose(undefined)}>
          {w.sort.reset}
        </Button>
      </div>
    </form>
  );
}
