import { Users } from 'lucide-react';
import { useMemo, useRef } from 'react';
import { useMay } from '../api/workspace.tsx';
import { Button } from '../ui/Button.tsx';
import { cn } from '../ui/cn.ts';
import { useShortcuts } from '../ui/shortcuts.ts';
import { useToast } from '../ui/Toasts.tsx';
import { w } from '../words/en.ts';
import { type Chip, isSameChips, type ListSearch } from './search.ts';
import { useSavedViews, useSaveView } from './useViews.ts';
import { ViewForm } from './ViewForm.tsx';
import { isChanged, type SavedView, toSearch, type ViewResource } from './views.ts';

/** A set of conditions with a name that the page itself has. */
export interface View {
  readonly name: string;
  readonly chips: readonly Chip[];
}

const CLEAN: ListSearch = {
  q: undefined,
  sort: undefined,
  chips: undefined,
  list: undefined,
  filter: undefined,
  columns: undefined,
  view: undefined,
};

interface ViewsProps {
  readonly resource: ViewResource;
  readonly search: ListSearch;
  /** The views of the page. */
  readonly views: readonly View[];
  readonly onChange: (change: ListSearch) => void;
}

/** The views of a list: those of the page, and those that are saved. */
export function ViewTabs({ resource, search, views, onChange }: ViewsProps) {
  const { saved, opened } = useSavedViews(resource, search);
  const ofPage = opened ? undefined : findOfPage(views, search);
  const tabs = useRef<HTMLDivElement>(null);
  useShortcuts(useMemo(() => ({ v: () => tabs.current?.querySelector('button')?.focus() }), []));
  return (
    <div
      ref={tabs}
      role="group"
      aria-label={w.views}
      className="mr-1 flex max-w-full overflow-x-auto rounded-md border border-line p-0.5"
    >
      {views.map(view => (
        <ViewTab
          key={view.name}
          name={view.name}
          isOn={view === ofPage}
          onOpen={() => onChange({ ...CLEAN, list: search.list, q: search.q, chips: toChips(view) })}
        />
      ))}
      {saved.map(view => (
        <ViewTab
          key={view.id}
          name={view.name}
          isShared={view.shared}
          isOn={view === opened}
          onOpen={() => onChange({ ...CLEAN, ...toSearch(view) })}
        />
      ))}
    </div>
  );
}

/** What saves the present state of a list as a view, and changes the view that is open. */
export function ViewActions({ resource, search, views, onChange }: ViewsProps) {
  const { opened } = useSavedViews(resource, search);
  const { q, sort, list } = search;
  const isOwn = !findOfPage(views, search) || q !== undefined || sort !== undefined || list !== undefined;
  const isSavable = opened ? isChanged(opened, search) : isOwn;
  return (
    <>
      {opened && isSavable && <SaveChanges view={opened} search={search} />}
      {opened && <ViewForm resource={resource} search={search} view={opened} onSaved={view => onChange({ view })} />}
      {isSavable && <ViewForm resource={resource} search={search} onSaved={view => onChange({ view })} />}
    </>
  );
}

/** Returns the view of the page that a list shows; undefined if it shows something else. */
function findOfPage(views: readonly View[], { chips = [], filter, columns }: ListSearch): View | undefined {
  if (filter !== undefined || columns !== undefined) return undefined;
  return views.find(view => isSameChips(view.chips, chips));
}

function toChips({ chips }: View): readonly Chip[] | undefined {
  return chips.length > 0 ? chips : undefined;
}

function ViewTab({
  name,
  isShared = false,
  isOn,
  onOpen,
}: {
  name: string;
  isShared?: boolean;
  isOn: boolean;
  onOpen: () => void;
}) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={onOpen}
      className={cn(
        'soft inline-flex h-6 items-center gap-1 rounded px-2 text-xs whitespace-nowrap max-md:h-10',
        isOn ? 'bg-sunk font-medium text-ink' : 'text-quiet hover:text-ink',
      )}
    >
      {name}
      {isShared && <Users className="size-3" role="img" aria-label={w.savedViews.shared} />}
    </button>
  );
}

/** Saves what is shown in place of what a view had. */
function SaveChanges({ view, search }: { view: SavedView; search: ListSearch }) {
  const save = useSaveView(view.resource);
  const tell = useToast();
  const mayWrite = useMay('write');
  const reason = mayWrite ? (view.can_change ? undefined : w.savedViews.notYours) : w.needs.write;
  return (
    <Button
      look="quiet"
      className="h-7 px-2 text-xs"
      reason={reason}
      disabled={save.isPending}
      onClick={() =>
        save.mutate(
          { id: view.id, name: view.name, shared: view.shared, search },
          { onError: error => tell({ text: error.message }) },
        )
      }
    >
      {w.savedViews.saveChanges}
    </Button>
  );
}
