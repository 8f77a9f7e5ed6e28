import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Popover } from 'radix-ui';
import { type FormEvent, useState } from 'react';
import { bodyOf } from '../api/client.ts';
import type { Schemas } from '../api/schemas.ts';
import { useMay, useWorkspace } from '../api/workspace.tsx';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { useToast } from '../ui/Toasts.tsx';
import { w } from '../words/en.ts';
import { triggerWords as words } from '../words/triggers.ts';
import { DAY_MS } from '../words/when.ts';

/** Sends again what failed for good since a time. */
export function Recover({ id }: { id: string }) {
  const { hub, workspace } = useWorkspace();
  const maySet = useMay('settings');
  const queries = useQueryClient();
  const tell = useToast();
  const [isOpen, setOpen] = useState(false);
  const [yesterday] = useState(() => Date.now() - DAY_MS);
  const recover = useMutation({
    mutationFn: async (from: string) => {
      let recovered = 0;
      for (let since: string | null = from; since !== null;) {
        const params = { path: { id } };
        const page: Schemas['RecoveredTrigger'] = bodyOf(
          await hub.POST('/v2/workspace/triggers/{id}/recover', { params, body: { since } }),
        );
        recovered += page.recovered;
        since = page.has_more ? page.next_since : null;
      }
      return recovered;
    },
    onSuccess: async recovered => {
      setOpen(false);
      await queries.invalidateQueries({ queryKey: [workspace.id, 'triggers', id] });
      tell({ text: words.recovered(recovered) });
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    recover.mutate(new Date(String(new FormData(event.currentTarget).get('since'))).toISOString());
  };
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger asChild>
        <Button reason={maySet ? undefined : w.needs.settings}>{words.recover}</Button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="start"
          sideOffset={4}
          aria-label={words.recover}
          className="z-30 w-72 rounded-md border border-line-strong bg-paper p-3"
        >
          <form onSubmit={submit} className="space-y-3">
            <Field
              label={words.since}
              name="since"
              type="datetime-local"
              required
              defaultValue={toLocalInput(yesterday)}
              hint={words.sinceHint}
            />
            {recover.error && <ProblemNote error={recover.error} />}
            <Button type="submit" look="main" disabled={recover.isPending}>
              {words.recoverSubmit}
            </Button>
          </form>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

/** Writes a time as an input for local times takes it. */
function toLocalInput(time: number): string {
  const date = new Date(time);
  return new Date(time - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
