import { Link } from '@tanstack/react-router';
import type { Schemas } from '../api/schemas.ts';
import { useWorkspace } from '../api/workspace.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { w } from '../words/en.ts';
import { integrationWords } from '../words/integrations.ts';
import { PanelView } from '../panels/PanelView.tsx';
import { isUsable } from '../panels/usable.ts';
import { PluginRuns } from '../runs/PluginRuns.tsx';
import { ConnectForm } from './ConnectForm.tsx';
import { ConnectionForm } from './ConnectionForm.tsx';
import { SignInAgain, SignInLinks } from './SignInLinks.tsx';

type Integration = Schemas['Integration'];

/** Connects an integration, or shows its connection with its settings. */
export function IntegrationDialog({ integration, onClose }: { integration: Integration; onClose: () => void }) {
  const {
    provider,
    display_name,
    description,
    docs_url,
    state,
    min_plan,
    reason,
    connection,
    credentials_schema,
    sign_in,
  } = integration;
  const isLocked = state === 'locked' && connection === null;
  return (
    <Dialog
      label={display_name}
      titled
      onClose={onClose}
      className="m-auto w-[min(560px,calc(100vw-24px))] rounded-md border"
    >
      <div className="space-y-5 p-5">
        <p className="text-quiet">
          {description}{' '}
          {docs_url !== null && (
            <a href={docs_url} rel="noreferrer noopener" target="_blank" className="text-accent underline">
              {integrationWords.docs}
            </a>
          )}
        </p>
        {isLocked && min_plan !== null && <p className="text-against">{integrationWords.locked(w.plan[min_plan])}</p>}
        {reason !== null && <p className="text-against">{reason}</p>}
        {(connection || isLocked) && integration.sync_page && (
          <SyncLink plugin={provider} text={isLocked ? integrationWords.seeSync : integrationWords.openSync} />
        )}
        {!connection && credentials_schema === null && !sign_in && <p>{integrationWords.builtInText}</p>}
        {isUsable(integration) &&
          integration.panels
            .filter(({ slot }) => slot === 'integration')
            .map(panel => <PanelView key={panel.path + panel.title} panel={panel} />)}
        {isUsable(integration) && !integration.sync_page && <PluginRuns plugin={provider} />}
        {connection?.state === 'reconnect' && connection.made_by === 'sign_in' && sign_in && (
          <SignInAgain integration={integration} signIn={sign_in} connection={connection} />
        )}
        {connection && <ConnectionForm integration={integration} connection={connection} onClose={onClose} />}
        {!connection && !isLocked && sign_in && <SignInLinks integration={integration} signIn={sign_in} />}
        {!connection && !isLocked && credentials_schema !== null && (
          <>
            {sign_in && <h3 className="font-semibold">{integrationWords.byCredentials}</h3>}
            <ConnectForm integration={integration} onClose={onClose} />
          </>
        )}
      </div>
    </Dialog>
  );
}

/** Leads to the page of the sync. */
function SyncLink({ plugin, text }: { plugin: string; text: string }) {
  const { workspace } = useWorkspace();
  return (
    <Link
      to="/w/$workspace/integrations/$plugin"
      params={{ workspace: workspace.id, plugin }}
      className="flex h-9 items-center justify-center rounded-md bg-accent font-medium text-on-accent"
    >
      {text}
    </Link>
  );
}
