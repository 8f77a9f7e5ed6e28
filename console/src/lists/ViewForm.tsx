import { BookmarkPlus, Settings2 } from 'lucide-react';
import { Popover } from 'radix-ui';
import { type FormEvent, useState } from 'react';
import { useMay } from '../api/workspace.tsx';
import { Button } from '../ui/Button.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { w } from '../words/en.ts';
import type { ListSearch } from './search.ts';
import { useDeleteView, useSaveView } from './useViews.ts';
import type { SavedView, ViewResource } from './views.ts';

/** Saves what a list shows as a new view or, with a view, renames, shares or deletes it. */
export function ViewForm({
  resource,
  search,
  view,
  onSaved,
}: {
  resource: ViewResource;
  search: ListSearch;
  view?: SavedView;
  /** Takes the ID of the view that is open afterwards; undefined after a deletion. */
  onSaved: (id: string | undefined) => void;
}) {
  const [isOpen, setOpen] = useState(false);
  const save = useSaveView(resource);
  const remove = useDeleteView(resource);
  const mayWrite = useMay('write');
  const title = view ? w.savedViews.edit : search.view === undefined ? w.savedViews.save : w.savedViews.saveAsNew;
  const Icon = view ? Settings2 : BookmarkPlus;
  const notYours = view && !view.can_change ? w.savedViews.notYours : undefined;
  const reason = mayWrite ? notYours : w.needs.write;
  function open(next: boolean) {
    save.reset();
    remove.reset();
    setOpen(next);
  }
  function close(id: string | undefined) {
    setOpen(false);
    onSaved(id);
  }
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const draft = { name: String(form.get('name')).trim(), shared: form.has('shared') };
    save.mutate(view ? { ...draft, id: view.id } : { ...draft, search }, { onSuccess: ({ id }) => close(id) });
  }
  const error = save.error ?? remove.error;
  return (
    <Popover.Root open={isOpen} onOpenChange={open}>
      <Popover.Trigger asChild>
        <Button look="quiet" reason={reason} className="h-7 px-2 text-xs">
          <Icon className="size-3" aria-hidden="true" />
          {title}
        </Button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="start"
          sideOffset={4}
          aria-label={title}
          className="z-30 w-72 rounded-md border border-line-strong bg-paper p-3"
        >
          <form onSubmit={submit} className="space-y-3">
            <label className="block space-y-1">
              <span className="font-medium">{w.savedViews.name}</span>
              <input
                name="name"
                required
                maxLength={200}
                pattern=".*\S.*"
                defaultValue={view?.name}
                className="field"
              />
            </label>
            <label className="flex items-center gap-2">
              <input type="checkbox" name="shared" defaultChecked={view?.shared} />
              {w.savedViews.share}
            </label>
            {error && <ProblemNote error={error} />}
            <Button type="submit" look="main" className="w-full" disabled={save.isPending}>
              {view ? w.savedViews.saveChanges : title}
            </Button>
            {view && (
              <Button
                look="danger"
                className="w-full"
                disabled={remove.isPending}
                onClick={() => remove.mutate(view, { onSuccess: () => close(undefined) })}
              >
                {w.savedViews.remove}
              </Button>
            )}
          </form>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
