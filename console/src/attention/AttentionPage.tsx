import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { bodyOf } from '../api/client.ts';
import { usePages } from '../api/pages.ts';
import type { Schemas } from '../api/schemas.ts';
import { useWorkspace } from '../api/workspace.tsx';
import { useShortcuts } from '../ui/shortcuts.ts';
import { Choices } from '../ui/Choices.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { LoadedList } from '../ui/LoadedList.tsx';
import { Moment } from '../ui/Moment.tsx';
import { SampleDataNote } from '../sample-data/SampleDataNote.tsx';
import { w } from '../words/en.ts';
import { attentionWords } from '../words/attention.ts';
import { ItemActions } from './ItemActions.tsx';
import { type AttentionSearch, KINDS, MARKED_STATES } from './search.ts';

const PAGE_ITEMS = 50;

type Item = Schemas['AttentionItem'];

const route = getRouteApi('/w/$workspace/attention');

/** What needs somebody now, the most urgent first. */
export function AttentionPage() {
  const { kind, state } = route.useSearch();
  const { hub, workspace } = useWorkspace();
  const go = useNavigate();
  const list = usePages({
    queryKey: [workspace.id, 'attention', kind, state],
    load: async (cursor, signal) =>
      bodyOf(
        await hub.GET('/v2/attention', {
          signal,
          params: { query: { limit: PAGE_ITEMS, cursor, state, ...(kind && { kinds: kind }) } },
        }),
      ),
    next: page => page.next_cursor,
  });
  const items = useMemo(() => list.data?.pages.flatMap(page => page.items) ?? [], [list.data]);
  const total = list.data?.pages[0]?.meta.total;
  const choose = (next: AttentionSearch) =>
    void go({
      to: '/w/$workspace/attention',
      params: { workspace: workspace.id },
      search: { kind, state, ...next },
      replace: true,
    });
  return (
    <div className="flex h-full flex-col">
      <title>{`${w.nav.attention} · ${workspace.name}`}</title>
      <header className="space-y-2.5 px-4 pt-4 pb-2.5">
        <div className="flex flex-wrap items-baseline gap-x-3">
          <h1 className="text-lg font-semibold">{w.nav.attention}</h1>
          <span className="num text-quiet" aria-live="polite">
            {total === undefined ? '' : attentionWords.total(total)}
          </span>
          <span className="text-quiet max-sm:hidden">{attentionWords.text}</span>
          <Choices
            label={attentionWords.states}
            values={['open', ...MARKED_STATES]}
            chosen={state ?? 'open'}
            nameOf={each => attentionWords.state[each]}
            onChoose={each => choose({ state: each === 'open' ? undefined : each })}
            className="ml-auto"
          />
        </div>
        <Choices
          label={w.views}
          values={['all', ...KINDS]}
          chosen={kind ?? 'all'}
          nameOf={each => attentionWords.kinds[each] ?? each}
          onChoose={each => choose({ kind: each === 'all' ? undefined : each })}
        />
      </header>
      <SampleDataNote />
      <div
        className="min-h-0 flex-1 overflow-auto border-t border-line"
        tabIndex={0}
        role="region"
        aria-label={w.nav.attention}
        aria-busy={list.isFetching}
      >
        <LoadedList
          list={list}
          isEmpty={items.length === 0}
          empty={<EmptyState {...attentionWords.none[state ?? 'open']} />}
          height={72}
        >
          <Items items={items} />
        </LoadedList>
      </div>
    </div>
  );
}

/** Moves the focus to another item of the list. */
function moveFocus(step: number): void {
  const rows = [...document.querySelectorAll<HTMLElement>('a[data-item]')];
  const active = rows.findIndex(row => row === document.activeElement);
  rows[Math.max(0, Math.min(rows.length - 1, active + step))]?.focus();
}

const ROW_KEYS = { j: () => moveFocus(1), k: () => moveFocus(-1) };

function Items({ items }: { items: readonly Item[] }) {
  useShortcuts(ROW_KEYS);
  const [focused, setFocused] = useState<string>();
  return (
    <ol>
      {items.map(item => (
        <li
          key={item.id}
          className="border-b border-line"
          onFocus={() => setFocused(item.id)}
          onBlur={() => setFocused(undefined)}
        >
          <AttentionRow item={item} isFocused={focused === item.id} />
        </li>
      ))}
    </ol>
  );
}

function AttentionRow({ item, isFocused }: { item: Item; isFocused: boolean }) {
  const { kind, entity_id, entity, headline, suggested_action, urgency, since, evidence, mark, people } = item;
  const { workspace } = useWorkspace();
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-1 px-4 py-3 hover:bg-panel">
      <Link
        data-item
        to="/w/$workspace/accounts/$id"
        params={{ workspace: workspace.id, id: entity_id }}
        className="min-w-0 font-medium hover:underline"
      >
        {headline}
      </Link>
      <span className="flex items-center gap-2 justify-self-end">
        <Moment at={since} />
        <Urgency value={urgency} />
      </span>
      <p className="min-w-0 text-quiet max-sm:col-span-2">
        {attentionWords.kinds[kind] ?? kind}
        {entity.company?.name && ` · ${entity.company.name}`} · <span className="text-ink">{suggested_action}</span>
        {mark?.until && (
          <>
            {' · '}
            {attentionWords.until} <Moment at={mark.until} />
          </>
        )}
      </p>
      <div className="-mr-3 justify-self-end max-sm:col-span-2 max-sm:-ml-3 max-sm:justify-self-start">
        <ItemActions item={item} isFocused={isFocused} />
      </div>
      {people && <People people={people} />}
      {evidence.length > 0 && (
        <details className="col-span-2 text-quiet">
          <summary className="inline-flex min-h-6 cursor-pointer items-center text-xs max-md:min-h-11">
            {attentionWords.evidence}
          </summary>
          <ul className="list-disc pb-1 pl-5">
            {evidence.map(each => (
              <li key={each}>{each}</li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

/** The people that an item about an account stands for. */
function People({ people }: { people: NonNullable<Item['people']> }) {
  const { workspace } = useWorkspace();
  return (
    <ul aria-label={attentionWords.people} className="col-span-2 flex flex-wrap gap-x-4 gap-y-1 text-quiet">
      {people.map(({ entity_id, entity_name, what }) => (
        <li key={entity_id}>
          <Link
            to="/w/$workspace/accounts/$id"
            params={{ workspace: workspace.id, id: entity_id }}
            className="text-ink hover:underline"
          >
            {entity_name ?? w.account.noName}
          </Link>{' '}
          <span className="text-xs">{what}</span>
        </li>
      ))}
    </ul>
  );
}

/** Draws an urgency between 0 and 100. */
function Urgency({ value }: { value: number }) {
  const name = `${attentionWords.urgency} ${Math.round(value)}`;
  return (
    <svg viewBox="0 0 32 6" className="h-1.5 w-8" role="img" aria-label={name}>
      <title>{name}</title>
      <rect width="32" height="6" rx="3" className="fill-bar-empty" />
      <rect width={Math.max(2, 0.32 * Math.min(100, value))} height="6" rx="3" className="fill-against" />
    </svg>
  );
}
