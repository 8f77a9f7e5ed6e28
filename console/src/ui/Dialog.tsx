import { X } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { w } from '../words/en.ts';
import { cn } from './cn.ts';

/**
 * Shows its content above the page until it is closed. It is the dialog of the browser: it keeps the focus, closes on
 * Escape, gives the focus back, and needs no style that the content policy refuses.
 * @param label name for screen readers, or the title that is shown
 */
export function Dialog({
  label,
  titled = false,
  onClose,
  className,
  children,
}: {
  label: string;
  titled?: boolean;
  onClose: () => void;
  className?: string;
  children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useId();
  useEffect(() => {
    const element = dialog.current;
    if (!element || element.open) return;
    element.showModal();
    element.querySelector<HTMLElement>('input, textarea, select')?.focus();
  }, []);
  return (
    // A click on the backdrop closes the dialog; Escape does it for the keyboard.
    <dialog
      ref={dialog}
      aria-label={titled ? undefined : label}
      aria-labelledby={titled ? title : undefined}
      onClose={onClose}
      onClick={event => event.target === dialog.current && dialog.current?.close()}
      className={cn('z-50 border-line-strong bg-paper p-0 text-ink backdrop:bg-black/40', className)}
    >
      {titled && (
        <header className="flex items-center justify-between border-b border-line py-2.5 pr-2.5 pl-5">
          <h2 id={title} className="text-lg font-semibold">
            {label}
          </h2>
          <button
            type="button"
            onClick={() => dialog.current?.close()}
            aria-label={w.close}
            className="soft grid size-8 place-items-center rounded-md hover:bg-sunk"
          >
            <X className="size-4" aria-hidden="true" />
          </button>
        </header>
      )}
      {children}
    </dialog>
  );
}
