import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';

/** A step of an import with its number. It is folded where the import has gone on to a later one. */
export function Step({
  number,
  title,
  isOpen = true,
  children,
}: {
  number: number;
  title: string;
  /** Whether it begins unfolded. Defaults to true. */
  isOpen?: boolean;
  children: ReactNode;
}) {
  return (
    <details open={isOpen} className="group/step">
      <summary className="flex min-h-9 cursor-pointer items-center gap-2.5 max-md:min-h-11">
        <span
          aria-hidden="true"
          className="num grid size-6 place-items-center rounded-full border border-line-strong text-xs text-quiet"
        >
          {number}
        </span>
        <h2 className="font-semibold">{title}</h2>
        <ChevronRight className="size-4 text-quiet group-open/step:rotate-90" aria-hidden="true" />
      </summary>
      <div className="space-y-3 pt-2 md:pl-8.5">{children}</div>
    </details>
  );
}
