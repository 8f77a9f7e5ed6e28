import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { Hub } from '../api/client.ts';
import type { Schemas } from '../api/schemas.ts';
import { useMay, useWorkspace } from '../api/workspace.tsx';
import { Button } from '../ui/Button.tsx';
import { useShortcuts } from '../ui/shortcuts.ts';
import { useToast } from '../ui/Toasts.tsx';
import { w } from '../words/en.ts';
import { attentionWords } from '../words/attention.ts';

const DAY_MS = 86_400_000;
const MORNING_HOUR = 8;
const NO_KEYS = {};

/** Days that an item can be put off for. */
export const SNOOZE_DAYS = [1, 7, 30] as const;

type Item = Schemas['AttentionItem'];

type Mark = NonNullable<Item['mark']>['state'];

/** What can be done with an item: a mark to set, or the one to take back. */
type Act =
  | { readonly do: 'done' }
  | { readonly do: 'snooze'; readonly days: number }
  | { readonly do: 'reopen'; readonly from: Mark };

/** Returns the morning of the day that lies so many days ahead. */
function morningIn(days: number): string {
  const day = new Date(Date.now() + days * DAY_MS);
  day.setHours(MORNING_HOUR, 0, 0, 0);
  return day.toISOString();
}

function send(hub: Hub, id: string, act: Act) {
  const params = { path: { id } };
  if (act.do === 'done') return hub.POST('/v2/attention/{id}/done', { params, body: {} });
  if (act.do === 'snooze')
    return hub.POST('/v2/attention/{id}/snooze', { params, body: { until: morningIn(act.days) } });
  return act.from === 'done'
    ? hub.DELETE('/v2/attention/{id}/done', { params })
    : hub.DELETE('/v2/attention/{id}/snooze', { params });
}

/** Marks an item, and offers to take the mark back. */
function useActs(id: string) {
  const { hub, workspace } = useWorkspace();
  const queries = useQueryClient();
  const tell = useToast();
  const options = {
    mutationFn: (act: Act) => send(hub, id, act),
    onError: (error: Error) => tell({ text: error.message }),
  };
  const refresh = () => queries.invalidateQueries({ queryKey: [workspace.id, 'attention'] });
  const undo = useMutation({ ...options, onSuccess: refresh });
  return useMutation({
    ...options,
    onSuccess: async (_answer, act) => {
      await refresh();
      if (act.do === 'reopen') return tell({ text: attentionWords.reopened });
      const from = act.do === 'done' ? 'done' : 'snoozed';
      const text = act.do === 'done' ? attentionWords.finished : attentionWords.snoozedFor(act.days);
      tell({ text, undo: { label: w.undo, run: () => undo.mutate({ do: 'reopen', from }) } });
    },
  });
}

/** Buttons of an item: done, snooze, or reopen. With the focus in its row, E and S do the first two. */
export function ItemActions({ item, isFocused }: { item: Item; isFocused: boolean }) {
  const acts = useActs(item.id);
  const [isChoosing, choose] = useState(false);
  const reason = useMay('write') ? undefined : w.needs.write;
  const run = (act: Act) => {
    choose(false);
    acts.mutate(act);
  };
  const hasKeys = isFocused && reason === undefined && item.mark === null && !acts.isPending;
  const { mutate } = acts;
  useShortcuts(
    useMemo(() => {
      const keys = {
        e: () => mutate({ do: 'done' }),
        s: () => mutate({ do: 'snooze', days: SNOOZE_DAYS[0] }),
      };
      return hasKeys ? keys : NO_KEYS;
    }, [hasKeys, mutate]),
  );
  const { mark } = item;
  if (mark !== null) {
    return (
      <Button
        look="quiet"
        reason={reason}
        disabled={acts.isPending}
        onClick={() => run({ do: 'reopen', from: mark.state })}
      >
        {attentionWords.reopen}
      </Button>
    );
  }
  return (
    <span className="flex flex-wrap items-center gap-1.5">
      <Button look="quiet" reason={reason} disabled={acts.isPending} onClick={() => run({ do: 'done' })}>
        {attentionWords.finish}
      </Button>
      {isChoosing ? (
        SNOOZE_DAYS.map(days => (
          <Button key={days} look="quiet" disabled={acts.isPending} onClick={() => run({ do: 'snooze', days })}>
            {attentionWords.inDays(days)}
          </Button>
        ))
      ) : (
        <Button look="quiet" reason={reason} disabled={acts.isPending} onClick={() => choose(true)}>
          {attentionWords.snooze}
        </Button>
      )}
    </span>
  );
}
