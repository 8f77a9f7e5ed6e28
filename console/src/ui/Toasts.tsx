import { createContext, type ReactNode, useCallback, useContext, useMemo, useRef, useState } from 'react';
import { useShortcuts } from './shortcuts.ts';

const SHOWN_MS = 8_000;
const NO_KEYS = {};

/** A short message about what was done. */
export interface Toast {
  readonly text: string;
  /** Takes back what was done. */
  readonly undo?: { readonly label: string; readonly run: () => void };
}

const Context = createContext<(toast: Toast) => void>(() => undefined);

/** Shows the messages of the pages within, one at a time. */
export function Toasts({ children }: { children: ReactNode }) {
  const [shown, show] = useState<Toast>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const tell = useCallback((toast: Toast) => {
    clearTimeout(timer.current);
    show(toast);
    timer.current = setTimeout(() => show(undefined), SHOWN_MS);
  }, []);
  const undo = shown?.undo;
  useShortcuts(
    useMemo(() => {
      const run = () => {
        show(undefined);
        undo?.run();
      };
      return undo ? { u: run } : NO_KEYS;
    }, [undo]),
  );
  return (
    <Context value={tell}>
      {children}
      <div role="status" className="pointer-events-none fixed inset-x-0 bottom-4 z-50 flex justify-center px-4">
        {shown && (
          <div className="pointer-events-auto flex items-center gap-4 rounded-md bg-ink px-4 py-2.5 text-paper">
            {shown.text}
            {shown.undo && (
              <button
                type="button"
                className="font-medium underline underline-offset-2"
                onClick={() => {
                  show(undefined);
                  shown.undo?.run();
                }}
              >
                {shown.undo.label}
              </button>
            )}
          </div>
        )}
      </div>
    </Context>
  );
}

/** Returns the function that shows a message. */
export function useToast(): (toast: Toast) => void {
  return useContext(Context);
}
