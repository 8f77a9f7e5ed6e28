import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Command } from 'cmdk';
import { NotebookText } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { bodyOf } from '../api/client.ts';
import { useWorkspace } from '../api/workspace.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { w } from '../words/en.ts';
import { PLACES } from './places.ts';
import { useActions } from './useActions.ts';

const MIN_LENGTH = 2;
const MAX_HITS = 8;
const ITEM =
  'flex min-h-9 cursor-default items-center gap-3 rounded-md px-3 data-[selected=true]:bg-sunk max-md:min-h-11';
const HEADING =
  '[&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:py-1.5 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-quiet';

/** Finds people and companies while somebody types, goes to pages, and does things. Enter takes the marked line. */
export default function CommandPalette({
  onClose,
  onOpen,
}: {
  onClose: () => void;
  /** Opens a dialog above the page. */
  onOpen: (dialog: 'shortcuts' | 'new workspace') => void;
}) {
  const { hub, workspace } = useWorkspace();
  const go = useNavigate();
  const [typed, setTyped] = useState('');
  const [choice, setChoice] = useState({ first: '', id: '' });
  const q = useDeferredValue(typed.trim());
  const found = useQuery({
    queryKey: [workspace.id, 'search', q],
    enabled: q.length >= MIN_LENGTH,
    queryFn: async ({ signal }) =>
      bodyOf(await hub.GET('/v2/search', { signal, params: { query: { q, limit: MAX_HITS } } })).hits,
  });
  const hits = q.length >= MIN_LENGTH ? (found.data ?? []) : [];
  const isNamed = (name: string) => name.toLowerCase().includes(q.toLowerCase());
  const places = PLACES.filter(({ id }) => isNamed(w.nav[id]) || hits.length > 0);
  const actions = useActions(onOpen).filter(({ name }) => q !== '' && isNamed(name));
  // What was found is above the pages, so Enter has to mean the first of it.
  const first = hits[0]?.entity_id ?? places[0]?.id ?? actions[0]?.name ?? 'notes';
  const marked = choice.first === first ? choice.id : first;
  const run = (act: () => unknown) => () => {
    onClose();
    act();
  };
  return (
    <Dialog
      label={w.find}
      onClose={onClose}
      className="mx-auto mt-[12vh] w-[min(600px,calc(100vw-24px))] overflow-hidden rounded-md border"
    >
      <Command shouldFilter={false} value={marked} onValueChange={id => setChoice({ first, id })} label={w.find}>
        <Command.Input
          value={typed}
          onValueChange={setTyped}
          placeholder={w.palette.placeholder}
          className="h-12 w-full border-b border-line bg-transparent px-4 text-base outline-none"
        />
        <Command.List className="max-h-96 overflow-auto p-1.5">
          {hits.length > 0 && (
            <Command.Group heading={w.palette.found} className={HEADING}>
              {hits.map(({ entity_id: id, name, type, title, company, email, domain }) => (
                <Command.Item
                  key={id}
                  value={id}
                  className={ITEM}
                  onSelect={run(() =>
                    go({ to: '/w/$workspace/accounts/$id', params: { workspace: workspace.id, id } }),
                  )}
                >
                  <span className="truncate font-medium">{name ?? email ?? domain ?? id}</span>
                  <span className="truncate text-quiet">
                    {type === 'company' ? (domain ?? w.company) : [title, company].filter(Boolean).join(', ')}
                  </span>
                </Command.Item>
              ))}
            </Command.Group>
          )}
          {q.length >= MIN_LENGTH && found.isSuccess && hits.length === 0 && (
            <p className="px-3 py-2 text-quiet">{w.palette.nothing(q)}</p>
          )}
          {places.length > 0 && (
            <Command.Group heading={w.palette.go} className={HEADING}>
              {places.map(({ id, to, key, Icon }) => (
                <Command.Item
                  key={id}
                  value={id}
                  className={ITEM}
                  onSelect={run(() => go({ to, params: { workspace: workspace.id } }))}
                >
                  <Icon className="size-4 text-quiet" aria-hidden="true" />
                  {w.nav[id]}
                  <kbd className="num ml-auto text-quiet">G {key.toUpperCase()}</kbd>
                </Command.Item>
              ))}
            </Command.Group>
          )}
          {actions.length > 0 && (
            <Command.Group heading={w.palette.act} className={HEADING}>
              {actions.map(({ name, act }) => (
                <Command.Item key={name} value={name} className={ITEM} onSelect={run(act)}>
                  {name}
                </Command.Item>
              ))}
            </Command.Group>
          )}
          {q.length >= MIN_LENGTH && (
            <Command.Item
              value="notes"
              className={ITEM}
              onSelect={run(() =>
                go({ to: '/w/$workspace/notes', params: { workspace: workspace.id }, search: { q } }),
              )}
            >
              <NotebookText className="size-4 text-quiet" aria-hidden="true" />
              {w.palette.notes(q)}
            </Command.Item>
          )}
        </Command.List>
      </Command>
    </Dialog>
  );
}
