import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { w } from '../words/en.ts';
import { cn } from './cn.ts';

const SHOWN_MS = 1_200;

/**
 * A text that a click copies.
 * @param short what is shown instead of a long text
 */
export function CopyButton({ text, short = text, className }: { text: string; short?: string; className?: string }) {
  const [isCopied, setCopied] = useState(false);
  async function copy() {
    await navigator.clipboard.writeText(text).catch(() => undefined);
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN_MS);
  }
  const Icon = isCopied ? Check : Copy;
  return (
    <button
      type="button"
      onClick={() => void copy()}
      title={`${w.copy} ${text}`}
      className={cn(
        'soft num inline-flex min-h-6 max-w-full items-center gap-1.5 rounded-md border border-line bg-paper px-1.5 text-quiet',
        'hover:border-line-strong hover:text-ink',
        className,
      )}
    >
      <span className="truncate">{short}</span>
      <Icon className={cn('size-3 shrink-0', isCopied ? 'text-for' : 'opacity-60')} aria-hidden="true" />
      <span className="sr-only" aria-live="polite">
        {isCopied ? w.copied : w.copy}
      </span>
    </button>
  );
}
