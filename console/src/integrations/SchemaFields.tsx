import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { bodyOf } from '../api/client.ts';
import type { FieldProblem } from '../api/fieldProblem.ts';
import { useWorkspace } from '../api/workspace.tsx';
import { toLabel, w } from '../words/en.ts';
import { integrationWords } from '../words/integrations.ts';
import { Field } from '../ui/Field.tsx';
import { FieldFrame } from '../ui/FieldFrame.tsx';
import { SelectField } from '../ui/SelectField.tsx';
import { formatField, isLists, listTicks, type NamedField } from './schema.ts';

/** Inputs for the fields of a schema. */
export function SchemaFields({
  fields,
  prefix,
  values,
  problems,
  provider,
}: {
  fields: readonly NamedField[];
  /** Beginning of the names of the inputs, such as `settings.` */
  prefix: string;
  values?: Readonly<Record<string, unknown>>;
  problems: readonly FieldProblem[];
  /** Provider that lists the values of some settings; undefined before it is connected. */
  provider: string | undefined;
}) {
  return fields.map(named => (
    <SchemaInput
      key={named.name}
      named={named}
      inputName={prefix + named.name}
      value={values?.[named.name]}
      problem={problems.find(({ field }) => field === prefix + named.name)?.message}
      provider={provider}
    />
  ));
}

function SchemaInput({
  named: { name, field, isRequired },
  inputName,
  value,
  problem,
  provider,
}: {
  named: NamedField;
  inputName: string;
  value: unknown;
  problem: string | undefined;
  provider: string | undefined;
}) {
  const label = field.title ?? toLabel(name);
  // A default is not sent: it may be another one tomorrow, and the operator may have set one for this hub.
  const typed = formatField(field, value);
  const byDefault = formatField(field, field.default);
  if (field.options === 'provider' && provider !== undefined)
    return <ProviderChoice provider={provider} name={name} inputName={inputName} label={label} value={typed} />;
  const ticks = listTicks(field);
  if (ticks) {
    const ticked = (value ?? field.default ?? []) as readonly unknown[];
    return (
      <fieldset className="space-y-1">
        <legend className="font-medium">{label}</legend>
        <div className="flex flex-wrap gap-x-4 gap-y-1">
          {ticks.map(each => (
            <label key={each} className="flex items-center gap-1.5">
              <input
                type="checkbox"
                name={inputName}
                value={each}
                defaultChecked={ticked.includes(each)}
                className="size-4 accent-accent"
              />
              {each}
            </label>
          ))}
        </div>
        {field.description && <p className="text-xs text-quiet">{field.description}</p>}
        {problem && <p className="text-xs text-against">{problem}</p>}
      </fieldset>
    );
  }
  const choices = field.type === 'boolean' ? [true, false] : field.enum;
  if (choices) {
    return (
      <SelectField
        label={label}
        name={inputName}
        defaultValue={typed}
        required={isRequired}
        values={choices.map(String)}
        nameOf={choice => (field.type === 'boolean' ? integrationWords.yesNo(choice === 'true') : choice)}
        none={isRequired ? undefined : integrationWords.byDefault(byDefault)}
        hint={field.description}
        problem={problem}
      />
    );
  }
  if (isLists(field))
    return <LinesField label={label} name={inputName} value={typed} hint={field.description} problem={problem} />;
  return (
    <Field
      label={label}
      name={inputName}
      type={field.secret ? 'password' : field.format === 'uri' ? 'url' : isNumber(field.type) ? 'number' : 'text'}
      autoComplete="off"
      required={isRequired}
      defaultValue={typed}
      placeholder={byDefault}
      minLength={field.minLength}
      maxLength={field.maxLength}
      min={field.minimum}
      max={field.maximum}
      step={field.type === 'number' ? 'any' : undefined}
      hint={field.description}
      problem={problem}
    />
  );
}

/** A setting with lists of values by name, one value on a line. */
function LinesField({
  label,
  name,
  value,
  hint,
  problem,
}: {
  label: string;
  name: string;
  value: string;
  hint: string | undefined;
  problem: string | undefined;
}) {
  return (
    <FieldFrame label={label} hint={`${hint ?? ''} ${integrationWords.lines}`.trim()} problem={problem}>
      {framed => (
        <textarea
          {...framed}
          name={name}
          defaultValue={value}
          rows={3}
          spellCheck={false}
          className="field h-auto py-2 font-mono text-xs"
        />
      )}
    </FieldFrame>
  );
}

function isNumber(type: string | undefined): boolean {
  return type === 'number' || type === 'integer';
}

/** A setting whose values the provider lists. */
function ProviderChoice({
  provider,
  name,
  inputName,
  label,
  value,
}: {
  provider: string;
  name: string;
  inputName: string;
  label: string;
  value: string;
}) {
  const { hub, workspace } = useWorkspace();
  const options = useQuery({
    queryKey: [workspace.id, 'options', provider, name],
    queryFn: async ({ signal }) =>
      bodyOf(
        await hub.POST('/v2/workspace/integrations/{plugin}/options', {
          signal,
          params: { path: { plugin: provider } },
          body: { field: name },
        }),
      ).options,
  });
  const listId = useId();
  return (
    <>
      <Field
        label={label}
        name={inputName}
        defaultValue={value}
        list={listId}
        hint={options.isPending ? w.loading : undefined}
        problem={options.error?.message}
      />
      <datalist id={listId}>
        {options.data?.map(option => (
          <option key={String(option.value)} value={String(option.value)}>
            {option.label}
          </option>
        ))}
      </datalist>
    </>
  );
}
