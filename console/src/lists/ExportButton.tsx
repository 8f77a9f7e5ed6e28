import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useToast } from '../ui/Toasts.tsx';
import { w } from '../words/en.ts';

/** Saves the rows of a list as a file. */
export function ExportButton({ onExport }: { onExport: () => Promise<void> }) {
  const tell = useToast();
  const save = useMutation({ mutationFn: onExport, onError: error => tell({ text: error.message }) });
  return (
    <button
      type="button"
      title={w.exportHint}
      disabled={save.isPending}
      onClick={() => save.mutate()}
      className="soft inline-flex h-7 items-center gap-1 rounded-md border border-line-strong px-2 text-xs text-quiet hover:text-ink disabled:opacity-60 max-md:h-11"
    >
      <Download className="size-3" aria-hidden="true" />
      {w.exportList}
    </button>
  );
}
