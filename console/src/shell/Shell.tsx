import { Link, Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { ChevronsUpDown, LogOut, Plus, Search, SunMoon } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import { useLiveChanges } from '../api/live.ts';
import { useMay, useWorkspace } from '../api/workspace.tsx';
import { Legend } from '../knowledge/marks.tsx';
import { cn } from '../ui/cn.ts';
import { w } from '../words/en.ts';
import { OfflineNote } from './OfflineNote.tsx';
import { ShortcutList } from './ShortcutList.tsx';
import { PLACES } from './places.ts';
import { useShortcuts } from '../ui/shortcuts.ts';
import { signOut } from './signOut.ts';
import { chooseTheme, currentTheme, THEMES } from './theme.ts';

const CommandPalette = lazy(() => import('./CommandPalette.tsx'));
const NewWorkspaceDialog = lazy(() => import('./NewWorkspaceDialog.tsx'));

/** Pages that draw claims, and explain their marks. */
const CLAIM_PAGES = /^\/w\/[^/]+\/(?:people|companies|leads|accounts|merges|facts\/conflicts)(?:\/|$)/;
const ITEM = 'flex h-8 items-center gap-2.5 rounded px-2 outline-none data-[highlighted]:bg-sunk max-md:h-11';
const RAIL_ITEM =
  'soft flex h-8 shrink-0 items-center gap-2.5 rounded-md px-2 text-aging hover:bg-sunk max-md:size-11 max-md:justify-center';

/** The frame of every page of a workspace: rail, content, legend, and what opens above them. */
export function Shell() {
  const { workspace } = useWorkspace();
  useLiveChanges();
  const [opened, open] = useState<'palette' | 'shortcuts' | 'new workspace'>();
  const go = useNavigate();
  const hasClaims = useLocation({ select: ({ pathname }) => CLAIM_PAGES.test(pathname) });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      open('palette');
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  const shortcuts = useMemo(() => {
    const params = { workspace: workspace.id };
    const places = PLACES.map(({ key, to }) => [`g ${key}`, () => void go({ to, params })] as const);
    return Object.fromEntries([...places, ['?', () => open('shortcuts')]]);
  }, [go, workspace.id]);
  useShortcuts(shortcuts);
  return (
    <div className="grid h-full grid-rows-[auto_auto_minmax(0,1fr)] md:grid-cols-[208px_minmax(0,1fr)] md:grid-rows-[auto_minmax(0,1fr)_auto]">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:m-2 focus:rounded-md focus:bg-accent focus:px-3 focus:py-1 focus:text-on-accent"
      >
        {w.skip}
      </a>
      <OfflineNote />
      <nav
        aria-label={w.main}
        className="flex items-center gap-0.5 overflow-x-auto border-b border-line bg-panel px-1.5 py-1 md:row-span-2 md:flex-col md:items-stretch md:overflow-visible md:border-r md:border-b-0 md:px-2 md:py-3"
      >
        <WorkspaceMenu onCreate={() => open('new workspace')} />
        <button
          type="button"
          onClick={() => open('palette')}
          className="soft flex h-8 shrink-0 items-center gap-2 rounded-md border border-line bg-paper px-2 text-quiet hover:border-line-strong max-md:size-11 max-md:justify-center md:mb-2"
        >
          <Search className="size-4" aria-hidden="true" />
          <span className="max-md:sr-only">{w.find}</span>
          <kbd aria-hidden="true" className="num ml-auto hidden rounded bg-sunk px-1 md:inline">
            Ctrl K
          </kbd>
        </button>
        {PLACES.map(({ id, to, Icon }) => (
          <Link
            key={id}
            to={to}
            params={{ workspace: workspace.id }}
            className={RAIL_ITEM}
            activeProps={{ className: 'bg-sunk !text-ink font-medium' }}
            activeOptions={{ includeSearch: false }}
          >
            <Icon className="size-4 shrink-0" aria-hidden="true" />
            <span className="max-md:sr-only">{w.nav[id]}</span>
          </Link>
        ))}
        <PersonMenu onShortcuts={() => open('shortcuts')} />
      </nav>
      <main id="content" tabIndex={-1} className="min-h-0 min-w-0 overflow-hidden outline-none">
        <Outlet />
      </main>
      {hasClaims && (
        <div className="hidden md:col-start-2 md:block">
          <Legend />
        </div>
      )}
      <Suspense>
        {opened === 'palette' && <CommandPalette onClose={() => open(undefined)} onOpen={open} />}
        {opened === 'new workspace' && <NewWorkspaceDialog onClose={() => open(undefined)} />}
      </Suspense>
      {opened === 'shortcuts' && <ShortcutList onClose={() => open(undefined)} />}
    </div>
  );
}

/** Names the workspace, and leads to the others of the person and to a new one. */
function WorkspaceMenu({ onCreate }: { onCreate: () => void }) {
  const mayCreate = useMay('admin');
  const { workspace, workspaces } = useWorkspace();
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className="soft flex h-8 shrink-0 items-center gap-2 rounded-md px-1.5 hover:bg-sunk max-md:h-11 md:mb-2">
        <img src="/icon.svg" alt="" className="size-5 shrink-0" />
        <span className="truncate font-semibold max-md:sr-only">{workspace.name}</span>
        <span className="ml-auto text-xs text-quiet max-md:sr-only">{w.plan[workspace.plan]}</span>
        <ChevronsUpDown className="hidden size-3.5 shrink-0 text-quiet md:block" aria-hidden="true" />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="start"
          sideOffset={4}
          className="z-30 max-h-96 min-w-52 overflow-auto rounded-md border border-line-strong bg-paper p-1"
        >
          <DropdownMenu.Label className="px-2 py-1 text-xs text-quiet">{w.workspaces}</DropdownMenu.Label>
          {workspaces.map(({ id, name, role }) => (
            <DropdownMenu.Item key={id} asChild>
              <Link
                to="/w/$workspace/attention"
                params={{ workspace: id }}
                className={cn(ITEM, id === workspace.id && 'font-medium')}
              >
                <span className="truncate">{name}</span>
                <span className="ml-auto text-xs text-quiet">{w.role[role]}</span>
              </Link>
            </DropdownMenu.Item>
          ))}
          {mayCreate && (
            <>
              <DropdownMenu.Separator className="my-1 h-px bg-line" />
              <DropdownMenu.Item onSelect={onCreate} className={ITEM}>
                <Plus className="size-4" aria-hidden="true" />
                {w.newWorkspace}
              </DropdownMenu.Item>
            </>
          )}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

/** Names the person, with the theme, the shortcuts and the way out. */
function PersonMenu({ onShortcuts }: { onShortcuts: () => void }) {
  const { user } = useWorkspace();
  const [theme, setTheme] = useState(currentTheme);
  return (
    <DropdownMenu.Root modal={false} onOpenChange={() => setTheme(currentTheme())}>
      <DropdownMenu.Trigger className="soft ml-auto flex h-8 shrink-0 items-center gap-2.5 rounded-md px-2 text-aging hover:bg-sunk max-md:size-11 max-md:justify-center md:mt-auto md:ml-0">
        <span
          aria-hidden="true"
          className="grid size-5 shrink-0 place-items-center rounded-full bg-accent-soft text-[10px] font-semibold text-accent"
        >
          {user.name.slice(0, 1).toUpperCase()}
        </span>
        <span className="truncate max-md:sr-only">{user.name}</span>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          side="top"
          sideOffset={4}
          className="z-30 min-w-56 rounded-md border border-line-strong bg-paper p-1"
        >
          <DropdownMenu.Label className="truncate px-2 py-1 text-xs text-quiet">{user.email}</DropdownMenu.Label>
          <DropdownMenu.RadioGroup
            value={theme}
            onValueChange={value => {
              const chosen = THEMES.find(each => each === value) ?? 'system';
              chooseTheme(chosen);
              setTheme(chosen);
            }}
          >
            {THEMES.map(each => (
              <DropdownMenu.RadioItem
                key={each}
                value={each}
                onSelect={event => event.preventDefault()}
                className={ITEM}
              >
                <SunMoon className="size-4" aria-hidden="true" />
                {w.theme[each]}
                <DropdownMenu.ItemIndicator className="ml-auto text-accent">●</DropdownMenu.ItemIndicator>
              </DropdownMenu.RadioItem>
            ))}
          </DropdownMenu.RadioGroup>
          <DropdownMenu.Separator className="my-1 h-px bg-line" />
          <DropdownMenu.Item onSelect={onShortcuts} className={ITEM}>
            <kbd className="num w-4 text-center" aria-hidden="true">
              ?
            </kbd>
            {w.shortcuts.title}
          </DropdownMenu.Item>
          <DropdownMenu.Item onSelect={() => void signOut()} className={ITEM}>
            <LogOut className="size-4" aria-hidden="true" />
            {w.signOut}
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
