import { Link, Outlet } from '@tanstack/react-router';
import { useWorkspace } from '../api/workspace.tsx';
import { PageHeader } from '../shell/PageHeader.tsx';
import { factWords } from '../words/facts.ts';
import { w } from '../words/en.ts';

const PAGES = [
  { id: 'conflicts', to: '/w/$workspace/facts/conflicts' },
  { id: 'decaying', to: '/w/$workspace/facts/decaying' },
  { id: 'provenance', to: '/w/$workspace/facts/provenance' },
] as const;

/** The frame of the pages about how well the whole workspace is known. */
export function FactsPage() {
  const { workspace } = useWorkspace();
  return (
    <div className="flex h-full flex-col">
      <PageHeader title={w.nav.facts}>
        <nav aria-label={factWords.pages} className="flex max-w-full gap-0.5 overflow-x-auto">
          {PAGES.map(({ id, to }) => (
            <Link
              key={id}
              to={to}
              params={{ workspace: workspace.id }}
              className="soft flex h-7 items-center rounded-md px-2.5 text-xs text-quiet hover:text-ink max-md:h-11"
              activeProps={{ className: 'bg-sunk !text-ink font-medium' }}
              activeOptions={{ includeSearch: false }}
            >
              {factWords[id].title}
            </Link>
          ))}
        </nav>
      </PageHeader>
      <div className="min-h-0 flex-1">
        <Outlet />
      </div>
    </div>
  );
}
