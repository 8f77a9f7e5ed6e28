import { Link } from '@tanstack/react-router';
import { Webhook } from 'lucide-react';
import { useState } from 'react';
import { useMay, useWorkspace } from '../api/workspace.tsx';
import { PageHeader } from '../shell/PageHeader.tsx';
import { Button } from '../ui/Button.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { LoadedList } from '../ui/LoadedList.tsx';
import { triggerWords } from '../words/triggers.ts';
import { w } from '../words/en.ts';
import { ago } from '../words/when.ts';
import { NewTriggerDialog } from './NewTriggerDialog.tsx';
import { useTriggers } from './useTriggers.ts';
import { TriggerState } from './TriggerState.tsx';

/** The webhook endpoints of the workspace. */
export function TriggersPage() {
  const { workspace } = useWorkspace();
  const maySet = useMay('settings');
  const [isCreating, setCreating] = useState(false);
  const list = useTriggers();
  const reason = maySet ? undefined : w.needs.settings;
  const triggers = list.data?.triggers;
  return (
    <div className="flex h-full flex-col">
      <PageHeader title={w.nav.triggers} text={triggerWords.text}>
        <Button look="main" className="ml-auto" reason={reason} onClick={() => setCreating(true)}>
          <Webhook className="size-4" aria-hidden="true" />
          {triggerWords.create}
        </Button>
      </PageHeader>
      <div className="min-h-0 flex-1 overflow-auto" tabIndex={0} role="region" aria-label={w.nav.triggers}>
        <LoadedList
          list={list}
          isEmpty={triggers?.length === 0}
          empty={<EmptyState title={triggerWords.none} text={triggerWords.noneText} />}
          rows={4}
          height={64}
        >
          <ul>
            {triggers?.map(trigger => (
              <li key={trigger.id} className="border-b border-line">
                <Link
                  to="/w/$workspace/triggers/$id"
                  params={{ workspace: workspace.id, id: trigger.id }}
                  className="soft grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-0.5 px-4 py-3 hover:bg-panel"
                >
                  <span className="truncate font-medium">{trigger.name ?? trigger.url}</span>
                  <TriggerState trigger={trigger} />
                  <span className="truncate text-quiet">{trigger.events.join(', ')}</span>
                  <span className="num text-quiet">
                    {trigger.last_success_at === null
                      ? triggerWords.nothingYet
                      : triggerWords.lastSuccess(ago(trigger.last_success_at))}
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        </LoadedList>
      </div>
      {isCreating && <NewTriggerDialog events={list.data?.available_events ?? []} onClose={() => setCreating(false)} />}
    </div>
  );
}
