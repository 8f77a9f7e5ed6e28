import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { useMay, useWorkspace } from '../api/workspace.tsx';
import { Button } from '../ui/Button.tsx';
import { Disclosure } from '../ui/Disclosure.tsx';
import { Field } from '../ui/Field.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { SelectField } from '../ui/SelectField.tsx';
import { cn } from '../ui/cn.ts';
import { importWords } from '../words/imports.ts';
import { w } from '../words/en.ts';
import { type ChangeBody, ENCODINGS, type FileImport } from './types.ts';
import { uploadFile } from './upload.ts';

const DELIMITERS = [',', ';', 'tab', '|'] as const;

/** What was seen in a file: how it is written, its first rows, and how it can be read otherwise. */
export function FileSeen({ file }: { file: FileImport }) {
  const { dialect, foreseen, workbook } = file;
  const facts = [
    ...(dialect && !workbook
      ? [
          [importWords.encoding, `${dialect.encoding}. ${dialect.encoding_reason}`],
          [importWords.delimiter, dialect.delimiter === '\t' ? importWords.tab : dialect.delimiter],
        ]
      : []),
    ...(workbook ? [[importWords.sheet, importWords.sheetOf(workbook.sheet, workbook.sheets)]] : []),
    ...(dialect && dialect.header_line !== null ? [[importWords.header, importWords.line(dialect.header_line)]] : []),
    ...(foreseen ? [[importWords.rows, importWords.foreseen(foreseen)]] : []),
  ] as const;
  return (
    <>
      <dl className="grid grid-cols-[auto_1fr] gap-x-5 gap-y-1">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-quiet">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {dialect && dialect.doubtful_line !== null && (
        <p className="text-against">{importWords.doubtful(dialect.doubtful_line, dialect.doubtful_text ?? '')}</p>
      )}
      {dialect && dialect.preamble.length > 0 && (
        <p className="text-quiet">{importWords.preamble(dialect.preamble.length)}</p>
      )}
      {foreseen && foreseen.rejections.length > 0 && (
        <Disclosure title={importWords.rejections(foreseen.rejected)}>
          <ul className="list-disc pb-2 pl-5">
            {foreseen.rejections.map(({ line, error }) => (
              <li key={line}>
                {importWords.line(line)}: {error}
              </li>
            ))}
          </ul>
        </Disclosure>
      )}
      <Sample file={file} />
      <Disclosure title={importWords.readOtherwise}>
        <DialectForm file={file} />
      </Disclosure>
      {workbook && workbook.sheets.length > 1 && (
        <Disclosure title={importWords.otherSheet}>
          <SheetForm workbook={workbook} />
        </Disclosure>
      )}
    </>
  );
}

/** The first rows of the file; those that cannot be read say why. */
function Sample({ file: { sample, mapping } }: { file: FileImport }) {
  if (sample.length === 0) return null;
  return (
    <div
      className="max-h-80 overflow-auto rounded-md border border-line"
      tabIndex={0}
      role="region"
      aria-label={importWords.firstRows}
    >
      <table className="w-full text-left text-xs">
        <thead className="sticky top-0 bg-panel text-quiet">
          <tr className="h-7 [&>th]:px-3 [&>th]:font-normal [&>th]:whitespace-nowrap">
            <th scope="col">{importWords.lineHead}</th>
            {mapping?.columns.map(({ index, header }) => (
              <th key={index} scope="col">
                {header || importWords.unnamed(index + 1)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sample.map(({ line, cells, problem }) => (
            <tr
              key={line}
              title={problem ?? undefined}
              className={cn('h-7 border-t border-line [&>td]:px-3', problem !== null && 'text-against')}
            >
              <td className="num text-quiet">{line}</td>
              {(mapping?.columns ?? []).map(({ index }) => (
                <td key={index} className="max-w-56 truncate">
                  {cells[index]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Reads the file with another encoding, delimiter, header or date. */
function DialectForm({ file: { id, dialect, workbook, file_date } }: { file: FileImport }) {
  const { hub, workspace } = useWorkspace();
  const mayWrite = useMay('write');
  const queries = useQueryClient();
  const day = file_date.slice(0, 10);
  const change = useMutation({
    mutationFn: (body: ChangeBody) =>
      hub.PATCH('/v2/plugins/csv-import/imports/{id}', { params: { path: { id } }, body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: [workspace.id, 'imports'] }),
  });
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name) ?? '').trim();
    change.mutate({
      header_line: Number(text('header_line')),
      ...(text('file_date') && text('file_date') !== day && { file_date: text('file_date') }),
      ...(!workbook && {
        encoding: text('encoding') as NonNullable<ChangeBody['encoding']>,
        delimiter: text('delimiter'),
      }),
    });
  }
  const delimiter = dialect?.delimiter === '\t' ? 'tab' : (dialect?.delimiter ?? ',');
  return (
    <form onSubmit={submit} className="space-y-3 pt-1">
      <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-4">
        {!workbook && (
          <>
            <SelectField
              label={importWords.encoding}
              name="encoding"
              values={ENCODINGS}
              nameOf={each => each}
              defaultValue={dialect?.encoding}
            />
            <SelectField
              label={importWords.delimiter}
              name="delimiter"
              values={[...new Set([...DELIMITERS, delimiter])]}
              nameOf={each => (each === 'tab' ? importWords.tab : each)}
              defaultValue={delimiter}
            />
          </>
        )}
        <Field
          label={importWords.headerLine}
          name="header_line"
          type="number"
          min={0}
          max={99_999}
          required
          defaultValue={dialect?.header_line ?? 0}
          hint={importWords.headerHint}
        />
        <Field
          label={importWords.fileDate}
          name="file_date"
          type="date"
          defaultValue={day}
          hint={importWords.fileDateHint}
        />
      </div>
      {change.error && <ProblemNote error={change.error} />}
      <Button type="submit" reason={mayWrite ? undefined : w.needs.write} disabled={change.isPending}>
        {importWords.readAgain}
      </Button>
    </form>
  );
}

/** Imports another sheet of a workbook. The hub keeps one sheet of a workbook, so the file is needed again. */
function SheetForm({ workbook: { sheet, sheets } }: { workbook: NonNullable<FileImport['workbook']> }) {
  const { workspace } = useWorkspace();
  const mayWrite = useMay('write');
  const go = useNavigate();
  const upload = useMutation({
    mutationFn: ({ file, name }: { file: File; name: string }) => uploadFile(workspace.id, file, () => undefined, name),
    onSuccess: ({ id }) => go({ to: '/w/$workspace/imports/$id', params: { workspace: workspace.id, id } }),
  });
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    upload.mutate({ file: form.get('file') as File, name: String(form.get('sheet')) });
  }
  return (
    <form onSubmit={submit} className="flex flex-wrap items-end gap-3 pt-1">
      <div className="w-56">
        <SelectField
          label={importWords.sheet}
          name="sheet"
          values={sheets.filter(each => each !== sheet)}
          nameOf={each => each}
        />
      </div>
      <Field label={importWords.workbook} name="file" type="file" accept=".xlsx" required />
      <Button type="submit" reason={mayWrite ? undefined : w.needs.write} disabled={upload.isPending}>
        {importWords.preview}
      </Button>
      {upload.error && <ProblemNote error={upload.error} />}
    </form>
  );
}
