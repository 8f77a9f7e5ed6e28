import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { bodyOf } from '../api/client.ts';
import { usePages } from '../api/pages.ts';
import type { Schemas } from '../api/schemas.ts';
import { useWorkspace } from '../api/workspace.tsx';
import { EvidencePane } from '../knowledge/EvidencePane.tsx';
import { PRESENT } from '../knowledge/types.ts';
import { cn } from '../ui/cn.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { LoadedList } from '../ui/LoadedList.tsx';
import { Moment } from '../ui/Moment.tsx';
import { useShortcuts } from '../ui/shortcuts.ts';
import { factWords } from '../words/facts.ts';
import { toLabel, w } from '../words/en.ts';

const PAGE_ITEMS = 50;

type Item = Schemas['AttentionItem'];

const route = getRouteApi('/w/$workspace/facts/conflicts');

/** Facts on which sources disagree, those first on which most depends, each with its evidence. */
export function ConflictsPage() {
  const { item: chosen } = route.useSearch();
  const { hub, workspace } = useWorkspace();
  const go = useNavigate();
  const list = usePages({
    queryKey: [workspace.id, 'conflicts'],
    load: async (cursor, signal) =>
      bodyOf(
        await hub.GET('/v2/attention', {
          signal,
          params: { query: { limit: PAGE_ITEMS, cursor, kinds: 'contested_claim' } },
        }),
      ),
    next: page => page.next_cursor,
  });
  const items = useMemo(() => list.data?.pages.flatMap(page => page.items) ?? [], [list.data]);
  const total = list.data?.pages[0]?.meta.contested_claims;
  const open = items.find(({ id }) => id === chosen) ?? items[0];
  const choose = (item: Item | undefined) => {
    if (!item) return;
    void go({
      to: '/w/$workspace/facts/conflicts',
      params: { workspace: workspace.id },
      search: { item: item.id },
      replace: true,
    });
  };
  const position = open ? items.indexOf(open) : -1;
  useShortcuts({ j: () => choose(items[position + 1]), k: () => choose(items[position - 1]) });
  return (
    <div className="flex h-full flex-col">
      <p className="px-4 py-2.5 text-quiet">
        {total !== undefined && total > 0 && (
          <span className="num mr-3 text-ink" aria-live="polite">
            {factWords.conflicts.total(total)}
          </span>
        )}
        {factWords.conflicts.text}
      </p>
      <div
        className={cn(
          'min-h-0 flex-1 border-t border-line',
          open && 'grid max-[1099px]:overflow-auto min-[1100px]:grid-cols-[minmax(0,0.8fr)_minmax(0,1.4fr)]',
        )}
      >
        <div
          className="min-h-0 overflow-auto max-[1099px]:max-h-72"
          tabIndex={0}
          role="region"
          aria-label={factWords.conflicts.title}
        >
          <LoadedList
            list={list}
            isEmpty={!open}
            empty={<EmptyState title={factWords.conflicts.empty} text={factWords.conflicts.emptyText} />}
            rows={6}
            height={60}
          >
            <ul>
              {items.map(item => (
                <li key={item.id} className="border-b border-line">
                  <ConflictRow item={item} isOpen={item === open} onOpen={() => choose(item)} />
                </li>
              ))}
            </ul>
          </LoadedList>
        </div>
        {open && (
          <div
            className="min-h-0 overflow-auto border-line bg-panel max-[1099px]:border-t min-[1100px]:border-l"
            tabIndex={0}
            role="region"
            aria-label={factWords.conflicts.decide}
          >
            <Evidence key={open.id} item={open} />
          </div>
        )}
      </div>
    </div>
  );
}

function ConflictRow({ item, isOpen, onOpen }: { item: Item; isOpen: boolean; onOpen: () => void }) {
  const { entity_name, entity, since } = item;
  return (
    <button
      type="button"
      aria-current={isOpen || undefined}
      onClick={onOpen}
      className={cn('soft block w-full px-4 py-2.5 text-left', isOpen ? 'bg-accent-soft' : 'hover:bg-panel')}
    >
      <span className="flex items-baseline gap-2">
        <span className="truncate font-medium">{entity_name ?? w.account.noName}</span>
        <Moment at={since} className="ml-auto shrink-0" />
      </span>
      <span className="block truncate text-quiet">
        <span className="text-ink">{toLabel(readProperty(item))}</span>
        {entity.company?.name && ` · ${entity.company.name}`}
      </span>
    </button>
  );
}

function Evidence({ item }: { item: Item }) {
  const { workspace } = useWorkspace();
  const { entity_id, entity_name } = item;
  return (
    <>
      <p className="flex items-baseline gap-3 px-5 pt-4">
        <Link
          to="/w/$workspace/accounts/$id"
          params={{ workspace: workspace.id, id: entity_id }}
          search={{ claim: readProperty(item) }}
          className="font-medium text-accent underline underline-offset-2"
        >
          {entity_name ?? w.account.noName}
        </Link>
        <span className="text-quiet max-sm:hidden">{factWords.conflicts.keys}</span>
      </p>
      <EvidencePane account={entity_id} name={entity_name ?? ''} property={readProperty(item)} moment={PRESENT} />
    </>
  );
}

/** The one property that a contested claim asks to find out. */
function readProperty({ suggested }: Item): string {
  return suggested.missing?.[0] ?? '';
}
