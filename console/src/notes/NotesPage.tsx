import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { NotebookPen } from 'lucide-react';
import { type FormEvent, useMemo, useRef } from 'react';
import { bodyOf } from '../api/client.ts';
import { usePages } from '../api/pages.ts';
import { useMay, useWorkspace } from '../api/workspace.tsx';
import { PageHeader } from '../shell/PageHeader.tsx';
import { Button } from '../ui/Button.tsx';
import { cn } from '../ui/cn.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { LoadedList } from '../ui/LoadedList.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { useShortcuts } from '../ui/shortcuts.ts';
import { Skeleton } from '../ui/Skeleton.tsx';
import { useIsWide } from '../ui/useIsWide.ts';
import { w } from '../words/en.ts';
import { noteWords } from '../words/notes.ts';
import { day } from '../words/when.ts';
import { NewNoteDialog } from './NewNoteDialog.tsx';
import type { NotesSearch } from './search.ts';

const PAGE_NOTES = 50;
const MAX_HITS = 20;

/** A note in the list: of the newest, or of those that answer a question. */
interface ListedNote {
  readonly id: string;
  readonly title: string;
  readonly date: string;
  readonly snippet: string;
}

const route = getRouteApi('/w/$workspace/notes');

/** Notes and what they say: the newest, or the answers to a question, with the full text beside them. */
export function NotesPage() {
  const { q, note, write } = route.useSearch();
  const { hub, workspace } = useWorkspace();
  const mayWrite = useMay('write');
  const go = useNavigate();
  const isWide = useIsWide();
  const box = useRef<HTMLInputElement>(null);
  useShortcuts(useMemo(() => ({ '/': () => box.current?.focus() }), []));
  const newest = usePages({
    queryKey: [workspace.id, 'notes'],
    enabled: q === undefined,
    load: async (cursor, signal) =>
      bodyOf(await hub.GET('/v2/notes', { signal, params: { query: { limit: PAGE_NOTES, cursor } } })),
    next: page => ('next_cursor' in page ? page.next_cursor : undefined),
  });
  const found = useQuery({
    queryKey: [workspace.id, 'notes', 'search', q],
    enabled: q !== undefined,
    queryFn: async ({ signal }) =>
      bodyOf(await hub.POST('/v2/notes/search', { signal, body: { question: q ?? '', limit: MAX_HITS } })).documents,
  });
  const notes: readonly ListedNote[] =
    q === undefined
      ? (newest.data?.pages.flatMap(page => ('notes' in page ? page.notes : [])) ?? [])
      : (found.data ?? []);
  const list = q === undefined ? newest : found;
  const open = note ?? (isWide ? notes[0]?.id : undefined);
  const set = (change: Partial<NotesSearch>) =>
    void go({
      to: '/w/$workspace/notes',
      params: { workspace: workspace.id },
      search: before => ({ ...before, ...change }),
      replace: true,
    });
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const question = String(new FormData(event.currentTarget).get('q') ?? '').trim();
    set({ q: question || undefined, note: undefined });
  }
  return (
    <div className="flex h-full flex-col">
      <PageHeader title={w.nav.notes}>
        <form onSubmit={submit} role="search" className="flex min-w-0 flex-1 basis-72 gap-2">
          <input
            key={q}
            ref={box}
            name="q"
            type="search"
            aria-label={noteWords.ask}
            placeholder={`${noteWords.ask}  /`}
            defaultValue={q}
            className="field max-w-2xl max-md:h-11"
          />
          <Button type="submit" className="h-9">
            {noteWords.search}
          </Button>
        </form>
        <Button look="main" reason={mayWrite ? undefined : w.needs.write} onClick={() => set({ write: true })}>
          <NotebookPen className="size-4" aria-hidden="true" />
          {noteWords.add}
        </Button>
      </PageHeader>
      <div className="grid min-h-0 flex-1 min-[1100px]:grid-cols-[minmax(0,1fr)_minmax(0,1.1fr)]">
        <div
          className="min-h-0 overflow-auto"
          tabIndex={0}
          role="region"
          aria-label={w.nav.notes}
          aria-busy={list.isFetching}
        >
          <LoadedList
            list={list}
            isEmpty={notes.length === 0}
            empty={
              <EmptyState
                title={q === undefined ? noteWords.empty : noteWords.nothing}
                text={q === undefined ? noteWords.emptyText : noteWords.nothingText}
              />
            }
            height={72}
          >
            <ul>
              {notes.map(({ id, title, date, snippet }) => (
                <li key={id} className="border-b border-line">
                  <button
                    type="button"
                    aria-current={id === open || undefined}
                    onClick={() => set({ note: id })}
                    className={cn(
                      'soft block w-full px-4 py-3 text-left',
                      id === open ? 'bg-accent-soft' : 'hover:bg-panel',
                    )}
                  >
                    <span className="flex items-baseline gap-3">
                      <span className="truncate font-medium">{title}</span>
                      <span className="num ml-auto shrink-0 text-quiet">{day(date)}</span>
                    </span>
                    <span className="line-clamp-2 text-aging">{snippet}</span>
                  </button>
                </li>
              ))}
            </ul>
          </LoadedList>
        </div>
        {isWide && (
          <aside
            className="min-h-0 overflow-auto border-l border-line bg-panel"
            tabIndex={0}
            aria-label={noteWords.text}
          >
            {open && <NoteText id={open} />}
          </aside>
        )}
      </div>
      {!isWide && note && (
        <Dialog
          label={noteWords.text}
          titled
          onClose={() => set({ note: undefined })}
          className="mx-auto mt-8 mb-0 h-[calc(100%-32px)] max-h-none w-full max-w-none rounded-t-md border-t sm:max-w-xl"
        >
          <NoteText id={note} />
        </Dialog>
      )}
      {write && mayWrite && <NewNoteDialog onClose={() => set({ write: undefined })} />}
    </div>
  );
}

/** The whole text of a note. */
function NoteText({ id }: { id: string }) {
  const { hub, workspace } = useWorkspace();
  const note = useQuery({
    queryKey: [workspace.id, 'note', id],
    placeholderData: undefined,
    queryFn: async ({ signal }) => bodyOf(await hub.GET('/v2/notes/{id}', { signal, params: { path: { id } } })),
  });
  if (note.error) {
    return (
      <div className="p-5">
        <ProblemNote error={note.error} />
      </div>
    );
  }
  if (!note.data) return <Skeleton rows={6} />;
  const { title, date, source, type, content, entity_id, participants } = note.data;
  return (
    <article className="space-y-3 p-5">
      <header>
        <h2 className="text-xl font-semibold break-words">{title}</h2>
        <p className="text-quiet">
          {noteWords.type[type]} · {source} · {day(date)}
          {participants.length > 0 && ` · ${participants.join(', ')}`}
        </p>
        <Link
          to="/w/$workspace/accounts/$id"
          params={{ workspace: workspace.id, id: entity_id }}
          className="font-medium text-accent underline underline-offset-2"
        >
          {noteWords.account}
        </Link>
      </header>
      <p className="max-w-prose text-base leading-6 break-words whitespace-pre-wrap">{content}</p>
    </article>
  );
}
