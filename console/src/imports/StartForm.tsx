import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { bodyOf } from '../api/client.ts';
import { useMay, useWorkspace } from '../api/workspace.tsx';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { SelectField } from '../ui/SelectField.tsx';
import { importWords } from '../words/imports.ts';
import { w } from '../words/en.ts';
import { ColumnTable } from './ColumnTable.tsx';
import { Step } from './Step.tsx';
import {
  type ColumnChoice,
  type FileImport,
  isRunning,
  RECORD_SYSTEMS,
  type RecordSystem,
  type StartBody,
  type Target,
  TARGETS,
} from './types.ts';

/** What the columns state and the rows become, and the two buttons: try it, and do it. */
export function StartForm({
  file,
  mapping,
  isNew,
}: {
  file: FileImport;
  mapping: NonNullable<FileImport['mapping']>;
  /** Whether nothing was started yet. */
  isNew: boolean;
}) {
  const { hub, workspace } = useWorkspace();
  const mayWrite = useMay('write');
  const queries = useQueryClient();
  const [changed, setChanged] = useState<ReadonlyMap<number, ColumnChoice>>(new Map());
  const [target, setTarget] = useState<Target>('people');
  const start = useMutation({
    mutationFn: async (body: StartBody) =>
      bodyOf(await hub.POST('/v2/plugins/csv-import/imports/{id}/start', { params: { path: { id: file.id } }, body })),
    onSuccess: () => queries.invalidateQueries({ queryKey: [workspace.id, 'imports'] }),
  });
  const isBusy = start.isPending || file.runs.some(isRunning);
  const stated = mapping.columns.map(({ index, field }) => changed.get(index)?.field ?? field);
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget, (event.nativeEvent as SubmitEvent).submitter);
    const text = (name: string) => String(form.get(name) ?? '').trim();
    start.mutate({
      target,
      dry_run: text('step') === 'try',
      columns: [...changed.values()],
      ...(target === 'leads' && text('list') && { list: text('list') }),
      ...(text('date_order') && { date_order: text('date_order') as 'day_first' | 'month_first' }),
      ...(text('decimal') && { decimal: text('decimal') as ',' | '.' }),
      ...(text('record_system') && { record_system: text('record_system') as RecordSystem }),
    });
  }
  const reason = mayWrite ? undefined : w.needs.write;
  return (
    <form onSubmit={submit} className="space-y-4">
      <Step number={2} title={importWords.columns} isOpen={isNew}>
        <p className="text-quiet">{mapping.from === 'saved' ? importWords.columnsSaved : importWords.columnsText}</p>
        <ColumnTable
          columns={mapping.columns}
          target={target}
          changed={changed}
          onChange={choice => setChanged(before => new Map(before).set(choice.index, choice))}
        />
      </Step>
      <Step number={3} title={importWords.become}>
        <div className="flex flex-wrap items-start gap-4">
          <div className="w-48">
            <SelectField
              label={importWords.target}
              values={TARGETS}
              nameOf={each => importWords.targets[each as Target]}
              value={target}
              onChange={event => setTarget(event.target.value as Target)}
            />
          </div>
          {target === 'leads' && (
            <div className="w-64">
              <Field label={w.leads.list} name="list" maxLength={200} placeholder={file.file_name} />
            </div>
          )}
          {stated.includes('record_id') && target !== 'companies' && (
            <div className="w-64">
              <SelectField
                label={importWords.recordSystem}
                name="record_system"
                values={RECORD_SYSTEMS}
                nameOf={each => importWords.systems[each as RecordSystem]}
                none={importWords.noSystem}
                hint={importWords.recordSystemHint}
              />
            </div>
          )}
          {mapping.has_ambiguous_dates && (
            <div className="w-56">
              <SelectField
                label={importWords.dates}
                name="date_order"
                required
                values={['day_first', 'month_first']}
                nameOf={each => importWords.orders[each as 'day_first']}
                none={importWords.chooseOrder}
                defaultValue={mapping.date_order ?? ''}
              />
            </div>
          )}
          {stated.some(field => field === 'company_revenue' || field === 'lead_score') && (
            <div className="w-40">
              <SelectField
                label={importWords.decimal}
                name="decimal"
                values={['.', ',']}
                nameOf={each => importWords.decimals[each as '.']}
                defaultValue={mapping.decimal}
              />
            </div>
          )}
        </div>
        {start.error && <ProblemNote error={start.error} />}
        <div className="flex flex-wrap items-center gap-2">
          <Button type="submit" name="step" value="try" reason={reason} disabled={isBusy}>
            {importWords.try}
          </Button>
          <Button type="submit" name="step" value="import" look="main" reason={reason} disabled={isBusy}>
            {importWords.start}
          </Button>
          <span className="text-quiet">{importWords.tryText}</span>
        </div>
      </Step>
    </form>
  );
}
