import type { ReactNode } from 'react';
import { useWorkspace } from '../api/workspace.tsx';

/** The head of a settings page, with its main action. */
export function SettingsHeader({ title, text, children }: { title: string; text: string; children?: ReactNode }) {
  const { workspace } = useWorkspace();
  return (
    <header className="mb-4 flex flex-wrap items-end justify-between gap-3">
      <title>{`${title} · ${workspace.name}`}</title>
      <div>
        <h1 className="text-lg font-semibold">{title}</h1>
        <p className="text-quiet">{text}</p>
      </div>
      {children}
    </header>
  );
}
