import { useNavigate } from '@tanstack/react-router';
import { ChevronDown } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useState } from 'react';
import type { Schemas } from '../api/schemas.ts';
import { useWorkspace } from '../api/workspace.tsx';
import { cn } from '../ui/cn.ts';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { w } from '../words/en.ts';
import type { ListControlsProps } from './ListPage.tsx';
import { useLeadLists } from './useLeadLists.ts';

/** Chooses one of the lead lists, which are loaded when the choice is opened; until then a lead names the chosen one. */
export function ListChoice({ rows, search: { list } }: ListControlsProps<Schemas['Lead']>) {
  const { workspace } = useWorkspace();
  const go = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const lists = useLeadLists(isOpen);
  const chosen = lists.data?.find(({ id }) => id === list)?.name ?? rows[0]?.list_name ?? w.leads.list;
  const label = list === undefined ? w.leads.everyList : chosen;
  function choose(id: string | undefined) {
    setOpen(false);
    void go({
      to: '/w/$workspace/leads',
      params: { workspace: workspace.id },
      search: before => ({ ...before, list: id }),
      replace: true,
    });
  }
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger
        aria-label={`${w.leads.list}: ${label}`}
        className="soft inline-flex h-7 max-w-48 items-center gap-1 rounded-md border border-line-strong px-2 text-xs max-md:h-11"
      >
        <span className="truncate">{label}</span>
        <ChevronDown className="size-3 shrink-0" aria-hidden="true" />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="start"
          sideOffset={4}
          aria-label={w.leads.list}
          className="z-30 max-h-[70vh] w-64 overflow-y-auto rounded-md border border-line-strong bg-paper p-1"
        >
          {lists.isPending && <Skeleton rows={3} />}
          {lists.error && <ProblemNote error={lists.error} onRetry={() => void lists.refetch()} />}
          {lists.data && (
            <ul>
              <Choice label={w.leads.everyList} isOn={list === undefined} onChoose={() => choose(undefined)} />
              {lists.data.map(({ id, name, lead_count }) => (
                <Choice key={id} label={`${name} (${lead_count})`} isOn={id === list} onChoose={() => choose(id)} />
              ))}
            </ul>
          )}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function Choice({ label, isOn, onChoose }: { label: string; isOn: boolean; onChoose: () => void }) {
  return (
    <li>
      <button
        type="button"
        aria-pressed={isOn}
        onClick={onChoose}
        className={cn(
          'soft block h-8 w-full truncate rounded px-2 text-left text-xs max-md:h-11',
          isOn ? 'bg-sunk font-medium text-ink' : 'text-quiet hover:bg-panel hover:text-ink',
        )}
      >
        {label}
      </button>
    </li>
  );
}
