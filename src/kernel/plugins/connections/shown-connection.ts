import type { Plan } from '#domain/plans/tiers.js';
import { type Instant, toIso } from '#domain/time/instant.js';
import { PlanGate } from '#kernel/plans/plan-gate.js';
import { type Connection, isLive } from './connection.js';
import { secretFields } from './connection-schema.js';
import type { ConnectablePlugin, FoundPlugin } from './plugin-directory.js';
import type { ConnectedDto } from './connections.dto.js';
import type { IntegrationDto, ShownConnectionDto } from './integrations.dto.js';

/** Answer to connecting. */
export type Connected = ConnectedDto;

const categories: Readonly<Record<string, string>> = {
  calcom: 'calendar',
  crm: 'crm',
  'csv-import': 'import',
  triggers: 'webhooks',
};

/** What is told of a connection that was just made. Credentials never are. */
export function showConnected(connection: Connection, { manifest }: ConnectablePlugin): Connected {
  const { id, name, plugin, createdAt, webhookActive } = connection;
  const hook = webhookActive ? ' It reports to us from now on.' : '';
  return {
    ok: true,
    connection: { id, name, provider: plugin, is_verified: true, created_at: toIso(createdAt) },
    webhook_registered: webhookActive === true,
    message: `${manifest.displayName} is connected.${hook}`,
  };
}

/** A plugin as a workspace sees it: what it is, whether the plan includes it, and how its connection is. */
export function showIntegration(
  found: FoundPlugin,
  plugin: ConnectablePlugin | undefined,
  connection: Connection | undefined,
  plan: Plan,
): IntegrationDto {
  const manifest = plugin?.manifest;
  const icon = manifest?.icon;
  return {
    provider: found.id,
    display_name: manifest?.displayName ?? found.id,
    description: manifest?.description ?? null,
    category: categories[found.id] ?? 'other',
    logo_url: icon?.startsWith('data:') ? icon : null,
    docs_url: manifest?.docsUrl ?? null,
    verified: connection !== undefined && isLive(connection) && connection.failures === 0,
    state: stateOf(plugin, connection, plan),
    min_plan: manifest?.minPlan ?? null,
    reason: plugin ? null : (found.reason ?? 'The plugin does not serve.'),
    credentials_schema: manifest?.credentials ?? null,
    settings_schema: manifest?.settings ?? null,
    connection: connection ? showConnection(connection, plugin) : null,
  };
}

function stateOf(
  plugin: ConnectablePlugin | undefined,
  connection: Connection | undefined,
  plan: Plan,
): IntegrationDto['state'] {
  if (!plugin) return 'failed';
  if (!PlanGate.may(plan, plugin.manifest.minPlan)) return 'locked';
  return connection?.state ?? 'available';
}

function showConnection(connection: Connection, plugin: ConnectablePlugin | undefined): ShownConnectionDto {
  const secret = secretFields(plugin?.manifest.settings);
  const settings = Object.entries(connection.settings).filter(([name]) => !secret.includes(name));
  return {
    id: connection.id,
    name: connection.name,
    settings: Object.fromEntries(settings),
    webhook_active: connection.webhookActive,
    last_event_at: isoOrNull(connection.lastEventAt),
    last_error: connection.lastError,
    last_checked_at: isoOrNull(connection.lastCheckedAt),
    created_at: toIso(connection.createdAt),
    updated_at: toIso(connection.updatedAt),
  };
}

function isoOrNull(instant: Instant | null): string | null {
  return instant === null ? null : toIso(instant);
}
