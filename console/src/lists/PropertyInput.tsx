import { type ComponentProps, useId } from 'react';
import { toText } from '../words/text.ts';
import { w } from '../words/en.ts';
import type { Property } from './useProperties.ts';

const NO_FIELDS: readonly string[] = [];

/** Chooses a property by name: one of the workspace, a field of the list, or any other that is typed. */
export function PropertyInput({
  properties,
  fields = NO_FIELDS,
  ...input
}: ComponentProps<'input'> & {
  /** Properties to offer. */
  properties: readonly Property[];
  /** Fields of the list to offer before them. */
  fields?: readonly string[];
}) {
  const id = useId();
  const offered = new Set(fields);
  return (
    <>
      <input list={id} required maxLength={80} pattern="[A-Za-z][A-Za-z0-9_. \-]*" {...input} />
      <datalist id={id}>
        {fields.map(each => (
          <option key={each}>{each}</option>
        ))}
        {properties
          .filter(({ name }) => !offered.has(name))
          .map(({ name, label }) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
      </datalist>
    </>
  );
}

/** A labelled {@link PropertyInput}, with what the chosen property means. */
export function PropertyField({
  properties,
  fields,
  known,
  value,
  onChange,
}: {
  properties: readonly Property[];
  fields: readonly string[];
  /** The property whose name was typed, if it is one of the workspace. */
  known: Property | undefined;
  value: string;
  onChange: (value: string) => void;
}) {
  return (
    <>
      <label className="block space-y-1">
        <span className="font-medium">{w.filter.property}</span>
        <PropertyInput
          properties={properties}
          fields={fields}
          value={value}
          onChange={event => onChange(event.target.value)}
          placeholder="title"
          className="field"
        />
      </label>
      <PropertyHint property={known} />
    </>
  );
}

/** Says what a property means and what its values look like; nothing about one that nobody has stated. */
function PropertyHint({ property }: { property: Property | undefined }) {
  if (!property) return null;
  const examples = property.examples.map(toText).join(', ');
  const text = [property.description, examples && w.filter.examples(examples)].filter(Boolean).join(' ');
  return text === '' ? null : <p className="line-clamp-3 text-xs break-words text-quiet">{text}</p>;
}

/** Returns the name of the property that somebody typed. */
export function toPropertyName(typed: string): string {
  return typed.trim().toLowerCase().replace(/\s+/g, '_');
}
