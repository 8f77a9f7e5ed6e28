import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { FileUp } from 'lucide-react';
import { type ClipboardEvent, type DragEvent, type FormEvent, useState } from 'react';
import { useMay, useWorkspace } from '../api/workspace.tsx';
import { Button } from '../ui/Button.tsx';
import { cn } from '../ui/cn.ts';
import { Disclosure } from '../ui/Disclosure.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { importWords } from '../words/imports.ts';
import { w } from '../words/en.ts';
import { listFiles } from './dropped.ts';
import { FILE_TYPES, isTable, toPastedFile } from './files.ts';
import { uploadFile } from './upload.ts';

/** How far an upload of several files is. */
interface Progress {
  readonly name: string;
  /** Number of the file, from 1. */
  readonly number: number;
  readonly files: number;
  /** Part of the file that was sent, 0 to 1. */
  readonly part: number;
}

/**
 * Takes files by drop, by choice, as a folder, or pasted, and shows how much was sent. One file leads to its preview, several
 * stay in the list.
 */
export function DropZone({ onUploaded }: { onUploaded: () => Promise<void> }) {
  const { workspace } = useWorkspace();
  const mayWrite = useMay('write');
  const go = useNavigate();
  const [isOver, setOver] = useState(false);
  const [progress, setProgress] = useState<Progress>();
  const upload = useMutation({
    mutationFn: async (files: readonly File[]) => {
      const ids: string[] = [];
      for (const [index, file] of files.entries()) {
        const of = { name: file.name, number: index + 1, files: files.length };
        const { id } = await uploadFile(workspace.id, file, part => setProgress({ ...of, part }));
        ids.push(id);
      }
      return ids;
    },
    // What was uploaded before a file was refused is in the list.
    onSettled: onUploaded,
    onSuccess: ids =>
      ids.length === 1
        ? go({ to: '/w/$workspace/imports/$id', params: { workspace: workspace.id, id: ids[0]! } })
        : undefined,
  });
  const isReady = mayWrite && !upload.isPending;
  function take(files: readonly File[]): void {
    const tables = files.filter(isTable);
    if (isReady && files.length > 0) upload.mutate(tables.length > 0 ? tables : files);
  }
  async function drop(event: DragEvent): Promise<void> {
    event.preventDefault();
    setOver(false);
    take(await listFiles(event.dataTransfer));
  }
  const input = { type: 'file', multiple: true, disabled: !isReady, className: 'sr-only' } as const;
  return (
    <div className="space-y-3">
      <label
        onDragOver={event => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={event => void drop(event)}
        title={mayWrite ? undefined : w.needs.write}
        className={cn(
          'soft flex cursor-pointer flex-col items-center gap-2 rounded-md border border-dashed px-6 py-10 text-center focus-within:outline-2 focus-within:outline-accent',
          isOver ? 'border-accent bg-accent-soft' : 'border-line-strong hover:bg-panel',
          !mayWrite && 'cursor-not-allowed opacity-60',
        )}
      >
        <FileUp className="size-6 text-quiet" aria-hidden="true" />
        <span className="font-medium">{importWords.drop}</span>
        <span className="text-quiet">{importWords.dropText}</span>
        <input {...input} accept={FILE_TYPES} onChange={event => take([...(event.target.files ?? [])])} />
      </label>
      <div className="flex flex-wrap items-start gap-x-6 gap-y-2">
        <label
          className={cn(
            'inline-flex min-h-9 items-center font-semibold focus-within:outline-2 focus-within:outline-accent max-md:min-h-11',
            mayWrite ? 'cursor-pointer' : 'cursor-not-allowed opacity-60',
          )}
        >
          {importWords.folder}
          <input
            {...input}
            ref={element => element?.setAttribute('webkitdirectory', '')}
            onChange={event => take([...(event.target.files ?? [])].filter(isTable))}
          />
        </label>
        {mayWrite && (
          <Disclosure title={importWords.paste}>
            <PasteForm isBusy={upload.isPending} onPasted={file => take([file])} />
          </Disclosure>
        )}
      </div>
      {upload.isPending && progress && (
        <p role="status" className="flex items-center gap-3">
          <span className="truncate">{importWords.uploading(progress)}</span>
          <progress max={1} value={progress.part} className="h-1.5 flex-1 accent-accent" aria-label={progress.name} />
          <span className="num">{importWords.sent(progress.part)}</span>
        </p>
      )}
      {upload.error && <ProblemNote error={upload.error} />}
    </div>
  );
}

/** Takes rows of a spreadsheet as text. */
function PasteForm({ isBusy, onPasted }: { isBusy: boolean; onPasted: (file: File) => void }) {
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    onPasted(toPastedFile(String(new FormData(event.currentTarget).get('rows'))));
  }
  /** A file that was copied has no text to put into the field. */
  function paste(event: ClipboardEvent): void {
    const [file] = event.clipboardData.files;
    if (!file) return;
    event.preventDefault();
    onPasted(file);
  }
  return (
    <form onSubmit={submit} className="w-[min(36rem,calc(100vw-4rem))] space-y-2 pb-2">
      <textarea
        name="rows"
        required
        rows={6}
        aria-label={importWords.pasteLabel}
        placeholder={importWords.pasteExample}
        onPaste={paste}
        className="field num h-auto py-2"
      />
      <Button type="submit" disabled={isBusy}>
        {importWords.preview}
      </Button>
    </form>
  );
}
