import type { ReactNode } from 'react';
import { useWorkspace } from '../api/workspace.tsx';

/** The head of a page: its title, what it is for, and its controls. */
export function PageHeader({ title, text, children }: { title: string; text?: string; children?: ReactNode }) {
  const { workspace } = useWorkspace();
  return (
    <header className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line px-4 py-3">
      <title>{`${title} · ${workspace.name}`}</title>
      <h1 className="text-lg font-semibold">{title}</h1>
      {text !== undefined && <p className="text-quiet">{text}</p>}
      {children}
    </header>
  );
}
