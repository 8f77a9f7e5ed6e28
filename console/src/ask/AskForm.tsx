import type { FormEvent, ReactNode } from 'react';
import { PropertyInput } from '../lists/PropertyInput.tsx';
import { useProperties } from '../lists/useProperties.ts';
import { Button } from '../ui/Button.tsx';
import { Choices } from '../ui/Choices.tsx';
import { Field } from '../ui/Field.tsx';
import { askWords } from '../words/ask.ts';
import { type AskSearch, DEFAULT_GROUPING, DEFAULT_PERIOD, GROUPINGS, KINDS, PERIODS, ROWS } from './search.ts';

/** Events that are offered before the properties of the workspace; each is the beginning of several. */
const EVENTS = [
  'interaction.email',
  'interaction.email_replied',
  'interaction.email_bounced',
  'interaction.meeting',
  'interaction.call',
  'interaction.page_visit',
];

/** What is asked: conditions that are typed and sent together, and choices that hold at once. */
export function AskForm({ search, onChange }: { search: AskSearch; onChange: (change: Partial<AskSearch>) => void }) {
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name) ?? '').trim() || undefined;
    onChange({ property: text('property'), without: text('without'), source: text('source'), q: text('q') });
  }
  const { kind = 'all', period = DEFAULT_PERIOD, by = DEFAULT_GROUPING, rows = 'observations' } = search;
  return (
    <div className="space-y-3 border-b border-line px-4 py-3">
      <form
        // What is typed follows the address, which a group may have changed.
        key={[search.property, search.without, search.source, search.q].join('\n')}
        onSubmit={submit}
        className="grid items-start gap-3 sm:grid-cols-2 xl:grid-cols-[repeat(4,minmax(0,1fr))_auto]"
      >
        <NameField name="property" label={askWords.property} hint={askWords.propertyHint} value={search.property} />
        <NameField name="without" label={askWords.without} hint={askWords.withoutHint} value={search.without} />
        <Field label={askWords.source} name="source" defaultValue={search.source} maxLength={100} placeholder="crm" />
        <Field label={askWords.question} name="q" defaultValue={search.q} maxLength={2000} placeholder="pricing" />
        <Button type="submit" look="main" className="h-9 self-end">
          {askWords.ask}
        </Button>
      </form>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        <Captioned caption={askWords.kind}>
          <Choices
            label={askWords.kind}
            values={KINDS}
            chosen={kind}
            nameOf={each => askWords.kinds[each]}
            onChoose={each => onChange({ kind: each === 'all' ? undefined : each })}
          />
        </Captioned>
        <Captioned caption={askWords.period}>
          <Choices
            label={askWords.period}
            values={PERIODS}
            chosen={period}
            nameOf={each => askWords.periods[each]}
            onChoose={each => onChange({ period: each, from: undefined, to: undefined })}
          />
        </Captioned>
        <Captioned caption={askWords.by}>
          <Choices
            label={askWords.by}
            values={GROUPINGS}
            chosen={by}
            nameOf={each => askWords.groupings[each]}
            onChoose={each => onChange({ by: each })}
          />
        </Captioned>
        <Captioned caption={askWords.rows}>
          <Choices
            label={askWords.rows}
            values={ROWS}
            chosen={rows}
            nameOf={each => askWords.rowKinds[each]}
            onChoose={each => onChange({ rows: each })}
          />
        </Captioned>
      </div>
    </div>
  );
}

/** The name of an event or property, or how it begins. */
function NameField({
  name,
  label,
  hint,
  value,
}: {
  name: 'property' | 'without';
  label: string;
  hint: string;
  value: string | undefined;
}) {
  const properties = useProperties('people');
  return (
    <label className="flex flex-col gap-1">
      <span className="block font-medium">{label}</span>
      <PropertyInput
        name={name}
        properties={properties}
        fields={EVENTS}
        required={false}
        defaultValue={value}
        placeholder={hint}
        className="field max-md:h-11"
      />
    </label>
  );
}

/** Choices with their name before them, which a screen reader hears from the group. */
function Captioned({ caption, children }: { caption: string; children: ReactNode }) {
  return (
    <div className="flex max-w-full min-w-0 items-center gap-1.5">
      <span aria-hidden="true" className="text-xs whitespace-nowrap text-quiet">
        {caption}
      </span>
      {children}
    </div>
  );
}
