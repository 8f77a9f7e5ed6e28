import { Link, Outlet } from '@tanstack/react-router';
import { useMay, useWorkspace } from '../api/workspace.tsx';
import { w } from '../words/en.ts';
import { settingsWords } from '../words/settings.ts';

const PAGES = [
  { id: 'workspace', to: '/w/$workspace/settings/workspace' },
  { id: 'scoring', to: '/w/$workspace/settings/scoring' },
  { id: 'trust', to: '/w/$workspace/settings/trust' },
  { id: 'members', to: '/w/$workspace/settings/members' },
  { id: 'keys', to: '/w/$workspace/settings/keys', isForAdmins: true },
  { id: 'audit', to: '/w/$workspace/settings/audit', isForAdmins: true },
  { id: 'health', to: '/w/$workspace/settings/health' },
  { id: 'profile', to: '/w/$workspace/settings/profile' },
  { id: 'sessions', to: '/w/$workspace/settings/sessions' },
] as const satisfies readonly { id: string; to: string; isForAdmins?: true }[];

/** The frame of the settings: their pages beside the one that is open. Pages for admins are named to them only. */
export function SettingsPage() {
  const { workspace } = useWorkspace();
  const isAdmin = useMay('admin');
  const pages = PAGES.filter(page => isAdmin || !('isForAdmins' in page));
  return (
    <div className="flex h-full flex-col overflow-hidden md:flex-row">
      <nav
        aria-label={settingsWords.pages}
        className="flex shrink-0 gap-0.5 overflow-x-auto border-b border-line p-2 md:w-48 md:flex-col md:border-r md:border-b-0 md:p-3"
      >
        {pages.map(({ id, to }) => (
          <Link
            key={id}
            to={to}
            params={{ workspace: workspace.id }}
            className="soft flex h-8 shrink-0 items-center rounded-md px-2 text-aging hover:bg-sunk max-md:h-11"
            activeProps={{ className: 'bg-sunk !text-ink font-medium' }}
          >
            {settingsWords[id]}
          </Link>
        ))}
      </nav>
      <div className="min-h-0 min-w-0 flex-1 overflow-auto" tabIndex={0} role="region" aria-label={w.nav.settings}>
        <div className="mx-auto max-w-4xl px-5 py-5">
          <Outlet />
        </div>
      </div>
    </div>
  );
}
