import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { useWorkspace } from '../api/workspace.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { w } from '../words/en.ts';

/** The head of a page about one thing of a list: the way back, its name, and what is said about it. */
export function DetailHeader({
  list,
  name,
  beside,
  children,
}: {
  /** The list that the thing stands in. */
  list: 'imports' | 'integrations' | 'triggers';
  name: string;
  /** What stands beside the name. */
  beside?: ReactNode;
  children?: ReactNode;
}) {
  const { workspace } = useWorkspace();
  return (
    <header className="space-y-2 border-b border-line px-5 py-3.5">
      <title>{`${name} · ${workspace.name}`}</title>
      <nav aria-label="Breadcrumb" className="flex items-center gap-1 text-xs text-quiet">
        <Link to={`/w/$workspace/${list}`} params={{ workspace: workspace.id }} className="hover:underline">
          {w.nav[list]}
        </Link>
        <ChevronRight className="size-3" aria-hidden="true" />
      </nav>
      <div className="flex flex-wrap items-center gap-3">
        <h1 className="min-w-0 truncate text-xl font-semibold">{name}</h1>
        {beside}
      </div>
      {children}
    </header>
  );
}

/** A page that shows no more than a title, and why. */
export function ProblemPage({ title, error, onRetry }: { title: string; error: Error; onRetry?: () => void }) {
  return (
    <div className="mx-auto max-w-xl space-y-3 p-6">
      <h1 className="text-lg font-semibold">{title}</h1>
      <ProblemNote error={error} {...(onRetry && { onRetry })} />
    </div>
  );
}
