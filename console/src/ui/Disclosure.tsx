import { ChevronRight } from 'lucide-react';
import { type ReactNode, useState } from 'react';

/** A part of a page that is drawn, and read from the hub, when somebody opens it. */
export function Disclosure({ title, children }: { title: string; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="group" onToggle={event => setOpen(event.currentTarget.open)}>
      <summary className="flex min-h-9 cursor-pointer items-center gap-2 font-semibold max-md:min-h-11">
        {title}
        <ChevronRight className="size-4 text-quiet group-open:rotate-90" aria-hidden="true" />
      </summary>
      {isOpen && children}
    </details>
  );
}
