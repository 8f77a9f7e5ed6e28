import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Popover } from 'radix-ui';
import { type FormEvent, useState } from 'react';
import { bodyOf } from '../api/client.ts';
import { useMay, useWorkspace } from '../api/workspace.tsx';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { useToast } from '../ui/Toasts.tsx';
import { w } from '../words/en.ts';
import { listWords as words } from '../words/lists.ts';
import { useLeadLists } from './useLeadLists.ts';

/** The most leads that one call takes. */
const MAX_LEADS = 1_000;

/** A lead list by ID, or a new one by name. */
type Target = { readonly list_id: string; readonly name: string } | { readonly list: string; readonly name: string };

/** What can be done with ticked rows. */
export default function SelectionBar({
  count,
  contacts,
  onExport,
  onClear,
}: {
  count: number;
  /** The people that the rows are about; undefined for companies. */
  contacts: readonly string[] | undefined;
  onExport: () => Promise<void>;
  onClear: () => void;
}) {
  const tell = useToast();
  const download = useMutation({
    mutationFn: onExport,
    onError: error => tell({ text: error.message }),
  });
  return (
    <div
      role="group"
      aria-label={words.selection}
      className="flex flex-wrap items-center gap-2 border-t border-line bg-accent-soft px-4 py-2"
    >
      <span aria-live="polite" className="num mr-2">
        {words.selected(count)}
      </span>
      {contacts && <AddToList contacts={contacts} onAdded={onClear} />}
      <Button disabled={download.isPending} onClick={() => download.mutate()}>
        {words.exportTicked}
      </Button>
      <Button look="quiet" onClick={onClear}>
        {words.clear}
      </Button>
    </div>
  );
}

function AddToList({ contacts, onAdded }: { contacts: readonly string[]; onAdded: () => void }) {
  const { hub, workspace } = useWorkspace();
  const queries = useQueryClient();
  const tell = useToast();
  const mayWrite = useMay('write');
  const [isOpen, setOpen] = useState(false);
  const lists = useLeadLists(isOpen);
  const add = useMutation({
    mutationFn: async ({ name, ...target }: Target) => {
      const counts = { added: 0, known: 0, failed: 0 };
      for (let start = 0; start < contacts.length; start += MAX_LEADS) {
        const leads = contacts.slice(start, start + MAX_LEADS).map(contact_id => ({ contact_id }));
        const answer = bodyOf(await hub.POST('/v2/leads', { body: { ...target, leads } }));
        counts.added += answer.inserted;
        counts.known += answer.duplicate_skipped;
        counts.failed += answer.skipped;
      }
      return { name, ...counts };
    },
    onSuccess: async ({ name, added, known, failed }) => {
      setOpen(false);
      await queries.invalidateQueries({ queryKey: [workspace.id, 'lead lists'] });
      await queries.invalidateQueries({ queryKey: [workspace.id, 'leads'] });
      tell({
        text: known + failed === 0 ? words.added(added, name) : words.addedSome(added, known, failed, name),
      });
      onAdded();
    },
  });
  const create = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get('name')).trim();
    add.mutate({ list: name, name });
  };
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger asChild>
        <Button look="main" reason={mayWrite ? undefined : w.needs.write}>
          {words.addToList}
        </Button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="start"
          side="top"
          sideOffset={4}
          aria-label={words.addToList}
          className="z-30 w-72 space-y-3 rounded-md border border-line-strong bg-paper p-3"
        >
          {lists.isPending && <Skeleton rows={2} />}
          {(lists.error ?? add.error) && <ProblemNote error={(lists.error ?? add.error)!} />}
          {lists.data && lists.data.length > 0 && (
            <ul aria-label={words.lists} className="max-h-52 overflow-y-auto">
              {lists.data.map(({ id, name, lead_count }) => (
                <li key={id}>
                  <button
                    type="button"
                    disabled={add.isPending}
                    onClick={() => add.mutate({ list_id: id, name })}
                    className="soft flex h-8 w-full items-center gap-2 rounded px-2 text-left hover:bg-panel max-md:h-11"
                  >
                    <span className="truncate">{name}</span>
                    <span className="num ml-auto text-quiet">{lead_count}</span>
                  </button>
                </li>
              ))}
            </ul>
          )}
          <form onSubmit={create} className="space-y-2">
            <Field label={words.newList} name="name" required maxLength={200} />
            <Button type="submit" disabled={add.isPending}>
              {words.create}
            </Button>
          </form>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
