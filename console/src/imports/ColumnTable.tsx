import { useState } from 'react';
import { useProperties } from '../lists/useProperties.ts';
import { importWords } from '../words/imports.ts';
import { toLabel } from '../words/en.ts';
import {
  COLUMN_FIELDS,
  type ColumnChoice,
  type ColumnField,
  type FileImport,
  listIdentifying,
  type Target,
} from './types.ts';

const SHOWN_EXAMPLES = 3;
const OWN = 'property:';
const NEW = 'new';

type Column = NonNullable<FileImport['mapping']>['columns'][number];

/** What each column states, with its first cells and the reason of the proposal. */
export function ColumnTable({
  columns,
  target,
  changed,
  onChange,
}: {
  columns: readonly Column[];
  target: Target;
  changed: ReadonlyMap<number, ColumnChoice>;
  onChange: (choice: ColumnChoice) => void;
}) {
  const known = useProperties(target === 'companies' ? 'companies' : 'people')
    .map(({ name }) => name)
    .filter(name => !(COLUMN_FIELDS as readonly string[]).includes(name));
  return (
    <div
      className="overflow-x-auto rounded-md border border-line"
      tabIndex={0}
      role="region"
      aria-label={importWords.columns}
    >
      <table className="w-full text-left">
        <thead className="bg-panel text-xs text-quiet">
          <tr className="h-8 [&>th]:px-3 [&>th]:font-normal [&>th]:whitespace-nowrap">
            <th scope="col">{importWords.column}</th>
            <th scope="col">{importWords.examples}</th>
            <th scope="col">{importWords.states}</th>
            <th scope="col">{importWords.why}</th>
          </tr>
        </thead>
        <tbody className="[&_td]:border-t [&_td]:border-line [&_td]:px-3 [&_td]:py-1.5">
          {columns.map(column => (
            <Row
              key={column.index}
              column={column}
              target={target}
              known={known}
              choice={changed.get(column.index)}
              onChange={onChange}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({
  column: { index, header, field, property, confidence, reason, examples },
  target,
  known,
  choice,
  onChange,
}: {
  column: Column;
  target: Target;
  /** Properties of the workspace that are no fields. */
  known: readonly string[];
  choice: ColumnChoice | undefined;
  onChange: (choice: ColumnChoice) => void;
}) {
  const [isNew, setNew] = useState(false);
  const stated = choice ?? { index, field, property: property ?? undefined };
  const own = stated.property;
  const value = isNew ? NEW : own === undefined ? (stated.field ?? '') : OWN + own;
  function choose(next: string): void {
    setNew(next === NEW);
    if (next === NEW) onChange({ index, field: null, property: toPropertyName(header) });
    else if (next.startsWith(OWN)) onChange({ index, field: null, property: next.slice(OWN.length) });
    else onChange({ index, field: (next || null) as ColumnField });
  }
  const isIdentifying = stated.field !== null && listIdentifying(target).has(stated.field);
  return (
    <tr>
      <td className="font-medium">{header || importWords.unnamed(index + 1)}</td>
      <td className="max-w-64 truncate text-quiet">{examples.slice(0, SHOWN_EXAMPLES).join(' · ')}</td>
      <td>
        <div className="flex flex-wrap items-center gap-2">
          <select
            aria-label={`${importWords.states}: ${header}`}
            value={value}
            onChange={event => choose(event.target.value)}
            className="h-8 rounded-md border border-line-strong bg-paper px-2 max-md:h-11"
          >
            <option value="">{importWords.leaveOut}</option>
            <option value={NEW}>{importWords.newProperty}</option>
            {COLUMN_FIELDS.map(each => (
              <option key={each} value={each}>
                {toLabel(each)}
              </option>
            ))}
            {[...new Set([...known, ...(own === undefined ? [] : [own])])].map(name => (
              <option key={name} value={OWN + name}>
                {toLabel(name)}
              </option>
            ))}
          </select>
          {isNew && (
            <input
              aria-label={importWords.propertyName(header)}
              value={own ?? ''}
              required
              maxLength={60}
              pattern="[a-z][a-z0-9_]*"
              title={importWords.propertyHint}
              onChange={event => onChange({ index, field: null, property: event.target.value })}
              className="num h-8 w-40 rounded-md border border-line-strong bg-paper px-2 max-md:h-11"
            />
          )}
          {isIdentifying && (
            <span className="rounded-full border border-accent/40 px-2 py-0.5 text-xs whitespace-nowrap text-accent">
              {importWords.identifies}
            </span>
          )}
        </div>
      </td>
      <td className="text-quiet">
        {choice ? importWords.chosen : reason}
        {!choice && (field !== null || property !== null) && <span className="num ml-2">{confidence.toFixed(2)}</span>}
      </td>
    </tr>
  );
}

/** Proposes the name of a property for a header: `Renewal (Month)` becomes `renewal_month`. */
function toPropertyName(header: string): string {
  const name = header
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[_0-9]+|_+$/g, '');
  return name.slice(0, 60);
}
