import { useId } from 'react';
import { useProperties } from '../lists/useProperties.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Field } from '../ui/Field.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { SelectField } from '../ui/SelectField.tsx';
import { changeMap, DIRECTIONS, type MappedObject, readChoice, WIN_RULES } from './fieldMap.ts';
import type { SyncField } from './types.ts';
import type { useFieldMap } from './useFieldMap.ts';
import { useSync } from './SyncContext.ts';

/** Chooses what a field of the CRM states, which ways its values travel, and which value wins. */
export function FieldDialog({
  object,
  field,
  fields,
  fieldMap: { map, save },
  onClose,
}: {
  object: MappedObject;
  field: SyncField;
  fields: readonly SyncField[];
  fieldMap: ReturnType<typeof useFieldMap>;
  onClose: () => void;
}) {
  const { words } = useSync();
  const choice = readChoice(map, object, field);
  const properties = useProperties(object === 'companies' ? 'companies' : 'people');
  const listId = useId();
  const writable = fields.filter(each => !each.is_read_only && each.name !== field.name);
  const submit = (form: FormData) => {
    const read = (name: string) => String(form.get(name) ?? '').trim() || undefined;
    const property = read('property');
    const changed = property !== undefined && {
      property,
      direction: DIRECTIONS.find(each => each === read('direction')),
      wins: WIN_RULES.find(rule => rule === read('wins')),
      confidenceField: read('confidence'),
      freshnessField: read('freshness'),
    };
    save.run(changeMap(map, object, field, changed || undefined), onClose);
  };
  return (
    <Dialog
      label={field.label}
      titled
      onClose={onClose}
      className="m-auto w-[min(480px,calc(100vw-24px))] rounded-md border"
    >
      <form
        className="space-y-4 p-5"
        onSubmit={event => {
          event.preventDefault();
          submit(new FormData(event.currentTarget));
        }}
      >
        <p className="font-mono text-xs text-quiet">
          {field.name}, {field.type}
        </p>
        <Field
          label={words.fields.property}
          name="property"
          list={listId}
          autoComplete="off"
          defaultValue={choice?.property ?? field.proposed ?? ''}
          pattern="[a-z][a-z0-9_]*"
          maxLength={80}
          title={words.fields.propertyFormat}
          hint={words.fields.propertyHint}
        />
        <datalist id={listId}>
          {properties.map(({ name, label }) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </datalist>
        <SelectField
          label={words.fields.ways}
          name="direction"
          defaultValue={choice?.direction ?? ''}
          values={field.is_read_only ? ['pull'] : DIRECTIONS}
          nameOf={each => words.fields.direction[each]!}
          none={words.fields.asUsual(field.direction)}
          hint={field.is_read_only ? words.fields.readOnly : undefined}
        />
        {!field.is_read_only && (
          <>
            <SelectField
              label={words.fields.winner}
              name="wins"
              defaultValue={choice?.wins ?? ''}
              values={WIN_RULES}
              nameOf={each => words.fields.wins[each]!}
              none={words.fields.asSync}
            />
            <SelectField
              label={words.fields.confidence}
              name="confidence"
              defaultValue={choice?.confidenceField ?? ''}
              values={writable.map(({ name }) => name)}
              nameOf={each => writable.find(({ name }) => name === each)!.label}
              none={words.fields.nowhere}
            />
            <SelectField
              label={words.fields.freshness}
              name="freshness"
              defaultValue={choice?.freshnessField ?? ''}
              values={writable.map(({ name }) => name)}
              nameOf={each => writable.find(({ name }) => name === each)!.label}
              none={words.fields.nowhere}
            />
          </>
        )}
        {save.error && <ProblemNote error={save.error} />}
        <div className="flex gap-2">
          <Button type="submit" look="main" disabled={save.isPending}>
            {words.fields.save}
          </Button>
          {choice && (
            <Button
              disabled={save.isPending}
              onClick={() => save.run(changeMap(map, object, field, undefined), onClose)}
            >
              {words.fields.leaveOut}
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  );
}
