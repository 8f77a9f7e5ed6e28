import { getRouteApi } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { bodyOf } from '../api/client.ts';
import { usePages } from '../api/pages.ts';
import type { Schemas } from '../api/schemas.ts';
import { useWorkspace } from '../api/workspace.tsx';
import { PageHeader } from '../shell/PageHeader.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { LoadedList } from '../ui/LoadedList.tsx';
import { askWords } from '../words/ask.ts';
import { toLabel, w } from '../words/en.ts';
import { toText } from '../words/text.ts';
import { AskForm } from './AskForm.tsx';
import { GroupBars } from './GroupBars.tsx';
import { ResultRows } from './ResultRows.tsx';
import { type Group, narrowTo, readGroups } from './groups.ts';
import { toQuery } from './query.ts';
import { type AskSearch, DEFAULT_GROUPING, type Grouping } from './search.ts';

const route = getRouteApi('/w/$workspace/ask');

/** Asks the log: which observations match, how many by group, and who they are about. */
export function AskPage() {
  const search = route.useSearch();
  const go = route.useNavigate();
  const { hub, workspace } = useWorkspace();
  const { by = DEFAULT_GROUPING } = search;
  const found = usePages({
    queryKey: [workspace.id, 'ask', search],
    load: async (cursor, signal) => {
      const body = { ...toQuery(search), ...(cursor !== undefined && { cursor }) };
      const answer = bodyOf(await hub.POST('/v2/query', { signal, body }));
      if (!('items' in answer)) throw new Error('A question without a name cannot be ambiguous.');
      return answer;
    },
    next: page => page.next_cursor,
  });
  const [first] = found.data?.pages ?? [];
  const items = found.data?.pages.flatMap(page => page.items as Schemas['QueryObservation'][]) ?? [];
  const change = (part: Partial<AskSearch>) => void go({ to: '.', search: before => ({ ...before, ...part }) });
  return (
    <div className="flex h-full flex-col">
      <PageHeader title={w.nav.ask} text={askWords.text} />
      <div className="min-h-0 flex-1 overflow-auto" tabIndex={0} role="region" aria-label={w.nav.ask}>
        <AskForm search={search} onChange={change} />
        <Narrowing search={search} onRemove={change} />
        {first && (
          <p className="px-4 pt-3" aria-live="polite">
            {askWords.matched(first.totals.observations, first.totals.entities)}
            {first.sampled && <span className="text-quiet"> · {askWords.sampled}</span>}
          </p>
        )}
        {first?.groups && first.groups.length > 0 && (
          <GroupBars
            key={JSON.stringify(search)}
            groups={readGroups(first.groups, by)}
            nameOf={group => nameGroup(by, group)}
            onOpen={group => change(narrowTo(by, group))}
          />
        )}
        <LoadedList
          list={found}
          isEmpty={items.length === 0}
          empty={<EmptyState title={askWords.nothing} text={askWords.nothingText} />}
          height={44}
        >
          {items.length > 0 && <ResultRows items={items} />}
        </LoadedList>
      </div>
    </div>
  );
}

function nameGroup(by: Grouping, { key }: Group): string {
  if (key === null) return askWords.noValue;
  return by === 'property' ? nameProperty(key) : key;
}

function nameProperty(property: string): string {
  return toLabel(property.replace(/^interaction\./, ''));
}

/** What a group has narrowed the question to, besides the fields of the form. */
function Narrowing({ search, onRemove }: { search: AskSearch; onRemove: (change: Partial<AskSearch>) => void }) {
  const { from, to, exact, value } = search;
  if ([from, to, exact, value].every(each => each === undefined)) return null;
  return (
    <ul className="flex flex-wrap items-center gap-2 px-4 pt-3" aria-label={askWords.only}>
      {(from !== undefined || to !== undefined) && (
        <Narrowed text={nameDays(from, to)} onRemove={() => onRemove({ from: undefined, to: undefined })} />
      )}
      {exact !== undefined && (
        <Narrowed text={askWords.exactly(nameProperty(exact))} onRemove={() => onRemove({ exact: undefined })} />
      )}
      {value !== undefined && (
        <Narrowed
          text={askWords.value(toText(JSON.parse(value)) || askWords.noValue)}
          onRemove={() => onRemove({ value: undefined })}
        />
      )}
    </ul>
  );
}

function nameDays(from: string | undefined, to: string | undefined): string {
  if (from !== undefined && to !== undefined) return askWords.between(from, to);
  return from === undefined ? askWords.before(to!) : askWords.since(from);
}

function Narrowed({ text, onRemove }: { text: string; onRemove: () => void }) {
  return (
    <li className="flex items-center gap-1 rounded-md border border-line-strong pl-2 text-xs">
      {text}
      <button
        type="button"
        onClick={onRemove}
        aria-label={`${askWords.remove}: ${text}`}
        className="soft grid size-7 place-items-center rounded-md text-quiet hover:text-ink max-md:size-11"
      >
        <X className="size-3.5" aria-hidden="true" />
      </button>
    </li>
  );
}
