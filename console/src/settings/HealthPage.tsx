import { Link } from '@tanstack/react-router';
import { HubError } from '../api/client.ts';
import type { Schemas } from '../api/schemas.ts';
import { useWorkspace } from '../api/workspace.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { Table } from '../ui/Table.tsx';
import { triggerWords } from '../words/triggers.ts';
import { integrationWords } from '../words/integrations.ts';
import { settingsWords } from '../words/settings.ts';
import { healthWords as words } from '../words/health.ts';
import { ago } from '../words/when.ts';
import { useIntegrations } from '../integrations/useIntegrations.ts';
import { useTriggers } from '../triggers/useTriggers.ts';
import { type ConnectionHealth, findProblem, readConnections } from './health.ts';
import { SettingsHeader } from './SettingsHeader.tsx';

/** Whether what feeds the graph, and what it feeds, works: connections to providers, and webhook endpoints. */
export function HealthPage() {
  const integrations = useIntegrations();
  const triggers = useTriggers();
  const connections = integrations.data && readConnections(integrations.data);
  const endpoints = triggers.data?.triggers;
  const problems =
    (connections ?? []).filter(({ problem }) => problem !== null).length +
    (endpoints ?? []).filter(each => findProblem(each) !== null).length;
  const isWithoutTriggers = triggers.error instanceof HubError && triggers.error.code === 'plugin_not_installed';
  const isRead = integrations.isSuccess && (triggers.isSuccess || isWithoutTriggers);
  return (
    <>
      <SettingsHeader title={settingsWords.health} text={settingsWords.healthText} />
      <div className="space-y-6">
        {isRead && (
          <p role="status" className={problems > 0 ? 'font-medium text-against' : 'font-medium text-for'}>
            {problems > 0 ? words.problems(problems) : words.well}
          </p>
        )}
        <section className="space-y-2">
          <h2 className="font-semibold">{words.integrations}</h2>
          {integrations.isPending && <Skeleton rows={2} height={44} />}
          {integrations.error && <ProblemNote error={integrations.error} onRetry={() => void integrations.refetch()} />}
          {connections?.length === 0 && <p className="text-quiet">{words.noIntegrations}</p>}
          {connections && connections.length > 0 && <Connections connections={connections} />}
        </section>
        <section className="space-y-2">
          <h2 className="font-semibold">{words.triggers}</h2>
          {triggers.isPending && <Skeleton rows={2} height={44} />}
          {triggers.error &&
            (isWithoutTriggers ? (
              <p className="text-quiet">{triggers.error.message}</p>
            ) : (
              <ProblemNote error={triggers.error} onRetry={() => void triggers.refetch()} />
            ))}
          {endpoints?.length === 0 && <p className="text-quiet">{words.noTriggers}</p>}
          {endpoints && endpoints.length > 0 && <Endpoints endpoints={endpoints} />}
        </section>
      </div>
    </>
  );
}

function Connections({ connections }: { connections: readonly ConnectionHealth[] }) {
  const { workspace } = useWorkspace();
  return (
    <Table label={words.integrations} head={[words.name, words.state, words.lastEvent, words.problem]}>
      {connections.map(({ id, provider, name, state, lastEventAt, problem }) => (
        <tr key={id}>
          <td className="font-medium whitespace-nowrap">
            <Link
              to="/w/$workspace/integrations"
              params={{ workspace: workspace.id }}
              search={{ open: provider }}
              className="hover:underline"
            >
              {name}
            </Link>
          </td>
          <td className="whitespace-nowrap">{integrationWords.state[state]}</td>
          <td className="num whitespace-nowrap text-quiet">
            {lastEventAt === null ? settingsWords.never : ago(lastEventAt)}
          </td>
          <Problem text={problem} />
        </tr>
      ))}
    </Table>
  );
}

function Endpoints({ endpoints }: { endpoints: readonly Schemas['Trigger'][] }) {
  const { workspace } = useWorkspace();
  return (
    <Table label={words.triggers} head={[words.name, words.state, words.lastSuccess, words.problem]}>
      {endpoints.map(endpoint => {
        const { id, name, url, state, last_success_at, failing_since } = endpoint;
        const problem = findProblem(endpoint);
        const since = failing_since === null ? '' : words.failingSince(ago(failing_since));
        return (
          <tr key={id}>
            <td className="max-w-64 truncate font-medium">
              <Link
                to="/w/$workspace/triggers/$id"
                params={{ workspace: workspace.id, id }}
                className="hover:underline"
              >
                {name ?? new URL(url).host}
              </Link>
            </td>
            <td>{triggerWords.state[state]}</td>
            <td className="num whitespace-nowrap text-quiet">
              {last_success_at === null ? settingsWords.never : ago(last_success_at)}
            </td>
            <Problem text={problem === null ? null : [since, problem].filter(Boolean).join(': ')} />
          </tr>
        );
      })}
    </Table>
  );
}

function Problem({ text }: { text: string | null }) {
  return <td className={text === null ? 'text-quiet' : 'text-against'}>{text ?? words.works}</td>;
}
