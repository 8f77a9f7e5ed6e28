import { importWords } from '../words/imports.ts';
import { toLabel } from '../words/en.ts';
import { COLUMN_FIELDS, type ColumnField, type FileImport } from './types.ts';

const SHOWN_EXAMPLES = 3;

/** What each column states, with its first cells and the reason of the proposal. */
export function ColumnTable({
  columns,
  changed,
  onChange,
}: {
  columns: NonNullable<FileImport['mapping']>['columns'];
  changed: ReadonlyMap<number, ColumnField>;
  onChange: (index: number, field: ColumnField) => void;
}) {
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
          {columns.map(({ index, header, field, confidence, reason, examples }) => {
            const isChanged = changed.has(index);
            const value = (isChanged ? changed.get(index) : field) ?? '';
            return (
              <tr key={index}>
                <td className="font-medium">{header}</td>
                <td className="max-w-64 truncate text-quiet">{examples.slice(0, SHOWN_EXAMPLES).join(' · ')}</td>
                <td>
                  <select
                    aria-label={`${importWords.states}: ${header}`}
                    value={value}
                    onChange={event => onChange(index, (event.target.value || null) as ColumnField)}
                    className="h-8 rounded-md border border-line-strong bg-paper px-2 max-md:h-11"
                  >
                    <option value="">{importWords.leaveOut}</option>
                    {COLUMN_FIELDS.map(each => (
                      <option key={each} value={each}>
                        {toLabel(each)}
                      </option>
                    ))}
                  </select>
                </td>
                <td className="text-quiet">
                  {isChanged ? importWords.chosen : reason}
                  {!isChanged && field !== null && <span className="num ml-2">{confidence.toFixed(2)}</span>}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
