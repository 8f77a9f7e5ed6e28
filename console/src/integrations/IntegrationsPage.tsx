import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { Schemas } from '../api/schemas.ts';
import { useWorkspace } from '../api/workspace.tsx';
import { PageHeader } from '../shell/PageHeader.tsx';
import { cn } from '../ui/cn.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { LoadedList } from '../ui/LoadedList.tsx';
import { w } from '../words/en.ts';
import { integrationWords } from '../words/integrations.ts';
import { useIntegrations } from './useIntegrations.ts';
import { IntegrationDialog } from './IntegrationDialog.tsx';

type Integration = Schemas['Integration'];

const route = getRouteApi('/w/$workspace/integrations');

/** The integrations of the hub, as cards with their state. */
export function IntegrationsPage() {
  const { open: opened } = route.useSearch();
  const { workspace } = useWorkspace();
  const go = useNavigate();
  const list = useIntegrations();
  const open = list.data?.find(({ provider }) => provider === opened);
  const set = (provider: string | undefined) =>
    void go({
      to: '/w/$workspace/integrations',
      params: { workspace: workspace.id },
      search: { open: provider },
      replace: true,
    });
  return (
    <div className="flex h-full flex-col">
      <PageHeader title={w.nav.integrations} text={integrationWords.text} />
      <div className="min-h-0 flex-1 overflow-auto p-4" tabIndex={0} role="region" aria-label={w.nav.integrations}>
        <LoadedList
          list={list}
          isEmpty={list.data?.length === 0}
          empty={<EmptyState title={integrationWords.none} text={integrationWords.noneText} />}
          rows={3}
          height={96}
        >
          <ul className="grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
            {list.data?.map(integration => (
              <li key={integration.provider}>
                <Card integration={integration} onOpen={() => set(integration.provider)} />
              </li>
            ))}
          </ul>
        </LoadedList>
      </div>
      {open && <IntegrationDialog key={open.provider} integration={open} onClose={() => set(undefined)} />}
    </div>
  );
}

function Card({ integration, onOpen }: { integration: Integration; onOpen: () => void }) {
  const { display_name, description, category, reason } = integration;
  return (
    <button
      type="button"
      onClick={onOpen}
      className="soft flex h-full min-h-32 w-full flex-col gap-2 rounded-md border border-line bg-paper p-4 text-left hover:border-line-strong"
    >
      <span className="flex w-full items-center gap-2.5">
        <span
          aria-hidden="true"
          className="grid size-8 shrink-0 place-items-center rounded-md bg-accent-soft font-semibold text-accent"
        >
          {display_name.slice(0, 1)}
        </span>
        <span className="min-w-0">
          <span className="block truncate font-semibold">{display_name}</span>
          <span className="block text-xs text-quiet">{category}</span>
        </span>
        <span className="ml-auto">
          <StateMark integration={integration} />
        </span>
      </span>
      <span className="text-quiet">{description}</span>
      {reason !== null && <span className="text-xs text-against">{reason}</span>}
    </button>
  );
}

const TONES: Readonly<Record<string, string>> = {
  connected: 'border-for/40 text-for',
  degraded: 'border-against/40 text-against',
  reconnect: 'border-against/40 text-against',
  failed: 'border-against/40 text-against',
};

/** The state of an integration in a word. */
function StateMark({ integration }: { integration: Integration }) {
  const { state } = integration;
  const isBuiltIn = state === 'available' && !isConnectable(integration);
  return (
    <span
      className={cn(
        'rounded-full border px-2 py-0.5 text-xs whitespace-nowrap',
        TONES[state] ?? 'border-line text-quiet',
      )}
    >
      {isBuiltIn ? integrationWords.builtIn : integrationWords.state[state]}
    </span>
  );
}

/** Returns whether an integration works with an account elsewhere. */
export function isConnectable({ credentials_schema, sign_in }: Integration): boolean {
  return credentials_schema !== null || sign_in !== null;
}
