import { Plus, X } from 'lucide-react';
import { Popover } from 'radix-ui';
import { type ComponentProps, type FormEvent, useMemo, useState } from 'react';
import { Button } from '../ui/Button.tsx';
import { useShortcuts } from '../ui/shortcuts.ts';
import { w } from '../words/en.ts';
import type { Chip, Condition } from './search.ts';
import { CONDITIONS } from './search.ts';
import { PropertyField, toPropertyName } from './PropertyInput.tsx';
import { useProperties } from './useProperties.ts';
import type { ViewResource } from './views.ts';

const FRESHNESS = ['fresh', 'aging', 'suspect', 'expired'] as const;
const CLASSES = ['contested', 'corroborated', 'asserted', 'observed', 'reported', 'inferred', 'ended'] as const;

/** The conditions of a list as sentences, each of which can be removed, and a form that adds one. */
export function FilterChips({
  chips,
  resource,
  fields,
  onChange,
}: {
  chips: readonly Chip[];
  resource: ViewResource;
  /** Fields of the list that the form offers beside the properties. */
  fields: readonly string[];
  onChange: (chips: readonly Chip[]) => void;
}) {
  return (
    <>
      {chips.map((chip, index) => {
        const sentence = w.chip(chip);
        const remove = () => onChange(chips.filter((_, each) => each !== index));
        return <RemovableChip key={sentence} sentence={sentence} onRemove={remove} />;
      })}
      <AddFilter resource={resource} fields={fields} onAdd={chip => onChange([...chips, chip])} />
    </>
  );
}

/** A condition as a sentence, which can be removed. */
export function RemovableChip({
  sentence,
  title,
  onRemove,
}: {
  sentence: string;
  title?: string;
  onRemove: () => void;
}) {
  return (
    <span
      title={title}
      className="inline-flex h-7 items-center gap-1 rounded-md bg-accent-soft pr-0.5 max-md:h-11 pl-2.5 text-xs text-accent"
    >
      {sentence}
      <button
        type="button"
        title={w.removeFilter}
        onClick={onRemove}
        className="grid size-6 place-items-center rounded hover:bg-paper max-md:size-10"
      >
        <X className="size-3" aria-hidden="true" />
        <span className="sr-only">
          {w.removeFilter} {sentence}
        </span>
      </button>
    </span>
  );
}

function AddFilter({ onAdd, ...form }: FilterFormProps) {
  const [isOpen, setOpen] = useState(false);
  useShortcuts(useMemo(() => ({ f: () => setOpen(true) }), []));
  function add(chip: Chip) {
    onAdd(chip);
    setOpen(false);
  }
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger className="soft inline-flex h-7 items-center gap-1 rounded-md border border-dashed max-md:h-11 border-line-strong px-2 text-xs text-quiet hover:text-ink">
        <Plus className="size-3" aria-hidden="true" />
        {w.filter.add}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="start"
          sideOffset={4}
          aria-label={w.filter.add}
          className="z-30 w-72 rounded-md border border-line-strong bg-paper p-3"
        >
          <FilterForm {...form} onAdd={add} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

interface FilterFormProps {
  readonly resource: ViewResource;
  readonly fields: readonly string[];
  readonly onAdd: (chip: Chip) => void;
}

function FilterForm({ resource, fields, onAdd }: FilterFormProps) {
  const properties = useProperties(resource);
  const [name, setName] = useState('');
  const [condition, setCondition] = useState<Condition>('contains');
  const property = toPropertyName(name);
  const known = properties.find(each => each.name === property);
  const takes = (each: Condition) => !known || known.conditions.includes(API_CONDITIONS[each]);
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const value = String(new FormData(event.currentTarget).get('value') ?? '').trim();
    onAdd({ property, condition, value });
  }
  return (
    <form onSubmit={submit} className="space-y-3">
      <PropertyField properties={properties} fields={fields} known={known} value={name} onChange={setName} />
      <label className="block space-y-1">
        <span className="font-medium">{w.filter.condition}</span>
        <select value={condition} onChange={event => setCondition(event.target.value as Condition)} className="field">
          {CONDITIONS.map(each => (
            <option key={each} value={each} disabled={!takes(each)}>
              {w.filter.conditions[each]}
            </option>
          ))}
        </select>
      </label>
      <ConditionValue condition={condition} />
      <Button type="submit" look="main" className="w-full">
        {w.filter.apply}
      </Button>
    </form>
  );
}

/** The condition of the API behind each condition of a chip. */
const API_CONDITIONS: Readonly<Record<Condition, string>> = {
  contains: '$contains',
  is: '$eq',
  exists: '$exists',
  missing: '$exists',
  freshness: 'freshness',
  stale: 'freshness',
  confidence: 'confidence',
  class: 'epistemic_class',
  source: 'source',
  only_source: 'only_source',
  due: 'refresh_due_at',
};

/** What the field of a value takes; any text where nothing is said. */
const VALUE_BOUNDS: Readonly<Partial<Record<Condition, ComponentProps<'input'>>>> = {
  confidence: { type: 'number', min: 0, max: 1, step: 0.05, defaultValue: '0.7' },
  due: { pattern: '[0-9]{1,6}[smhdw]', title: w.filter.duration, defaultValue: '7d' },
  source: { maxLength: 200, placeholder: 'crm:hubspot' },
  only_source: { maxLength: 200, placeholder: 'crm:hubspot' },
};

function ConditionValue({ condition }: { condition: Condition }) {
  if (condition === 'exists' || condition === 'missing' || condition === 'stale') return null;
  if (condition === 'freshness' || condition === 'class') {
    const options: readonly string[] = condition === 'freshness' ? FRESHNESS : CLASSES;
    return (
      <label className="block space-y-1">
        <span className="font-medium">{w.filter.value}</span>
        <select name="value" className="field">
          {options.map(each => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </label>
    );
  }
  const bounds = VALUE_BOUNDS[condition] ?? {};
  return (
    <label className="block space-y-1">
      <span className="font-medium">{w.filter.value}</span>
      <input key={condition} name="value" required className="field" {...bounds} />
    </label>
  );
}
