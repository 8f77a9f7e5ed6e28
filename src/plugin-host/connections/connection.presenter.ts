import type { Plan } from '#domain/plans/tiers.js';
import { type Instant, toIso } from '#domain/time/instant.js';
import { PlanGate } from '#kernel/plans/plan-gate.js';
import type { ProviderSignIn } from '#sdk/manifest/oauth2-rules.js';
import { ReconnectRequiredError } from '../reconnect-required.error.js';
import { type Connection, isActive } from './connection.js';
import { listSecretFields } from './connection-schema.js';
import type { ConnectablePlugin, DiscoveredPlugin } from './plugin.directory.js';
import type { ConnectResult } from './connections.dto.js';
import { toPanels, toSyncPage } from './integration-panel.dto.js';
import type { Integration, IntegrationConnection } from './integrations.dto.js';
import { toIntegrationSignIn } from '../oauth2/integration-sign-in.dto.js';

const CATEGORIES: Readonly<Record<string, string>> = {
  calcom: 'calendar',
  crm: 'crm',
  'csv-import': 'import',
  triggers: 'webhooks',
};

/** Presents a connection that was just made, without its credentials. */
export function toConnectResult(connection: Connection, { manifest }: ConnectablePlugin): ConnectResult {
  const { id, name, plugin, createdAt, webhookActive } = connection;
  const webhookNote = webhookActive ? ' It reports to us from now on.' : '';
  return {
    ok: true,
    connection: { id, name, provider: plugin, is_verified: true, created_at: toIso(createdAt) },
    webhook_registered: webhookActive === true,
    message: `${manifest.displayName} is connected.${webhookNote}`,
  };
}

const LOCKED_REASON =
  'The credentials cannot be read, because this hub does not hold the key that they are sealed with: the operator has to ' +
  'add it to SECRET_KEYS. Deliveries wait.';

/** What the presentation of an integration depends on besides plugin and connections. */
export interface IntegrationOptions {
  readonly plan: Plan;
  /** Whether the operator has registered the hub with a provider. */
  readonly isConfigured: (signIn: ProviderSignIn) => boolean;
  /** IDs of the connections whose secrets cannot be read. */
  readonly lockedIds: ReadonlySet<string>;
}

/** The states of connections, the one that needs most attention first: an integration has the first that occurs. */
const STATES_BY_URGENCY = ['locked', 'reconnect', 'degraded', 'connected'] as const;

/** Presents a plugin to a workspace: its manifest, whether the plan includes it, and its connections. */
export function toIntegration(
  found: DiscoveredPlugin,
  plugin: ConnectablePlugin | undefined,
  connections: readonly Connection[],
  { plan, lockedIds, isConfigured }: IntegrationOptions,
): Integration {
  const manifest = plugin?.manifest;
  const icon = manifest?.icon;
  const presented = connections.map(each => toIntegrationConnection(each, plugin, lockedIds.has(each.id)));
  const [first] = presented;
  const urgent = STATES_BY_URGENCY.map(state => presented.find(each => each.state === state)).find(Boolean);
  return {
    provider: found.id,
    display_name: manifest?.displayName ?? found.id,
    description: manifest?.description ?? null,
    category: CATEGORIES[found.id] ?? (manifest?.page === 'sync' ? 'crm' : 'other'),
    logo_url: icon?.startsWith('data:') ? icon : null,
    docs_url: manifest?.docsUrl ?? null,
    verified: presented.length > 0 && presented.every(({ verified }) => verified),
    state: toIntegrationState(plugin, urgent, plan),
    min_plan: manifest?.minPlan ?? null,
    reason: plugin ? (urgent?.reason ?? null) : (found.reason ?? 'The plugin does not serve.'),
    credentials_schema: manifest?.credentials ?? null,
    sign_in: manifest ? toIntegrationSignIn(manifest, isConfigured) : null,
    settings_schema: manifest?.settings ?? null,
    panels: manifest ? toPanels(manifest) : [],
    sync_page: manifest ? toSyncPage(manifest) : null,
    multiple_connections: manifest?.multipleConnections ?? false,
    connection: first ?? null,
    connections: presented,
  };
}

function explainState(connection: Connection, isLocked: boolean): string | null {
  if (isLocked) return LOCKED_REASON;
  return connection.state === 'reconnect' ? new ReconnectRequiredError(connection.lastError).detail! : null;
}

function toIntegrationState(
  plugin: ConnectablePlugin | undefined,
  urgent: IntegrationConnection | undefined,
  plan: Plan,
): Integration['state'] {
  if (!plugin) return 'failed';
  if (!PlanGate.isAllowed(plan, plugin.manifest.minPlan)) return 'locked';
  return urgent?.state ?? 'available';
}

/** Presents a connection without its credentials and secret settings. @param isLocked whether they cannot be read */
export function toIntegrationConnection(
  connection: Connection,
  plugin: ConnectablePlugin | undefined,
  isLocked: boolean,
): IntegrationConnection {
  const secret = listSecretFields(plugin?.manifest.settings);
  const settings = Object.entries(connection.settings).filter(([name]) => !secret.includes(name));
  return {
    id: connection.id,
    name: connection.name,
    state: isLocked ? 'locked' : (connection.state as IntegrationConnection['state']),
    verified: isActive(connection) && connection.failures === 0 && !isLocked,
    reason: explainState(connection, isLocked),
    settings: Object.fromEntries(settings),
    made_by: connection.tokens ? 'sign_in' : 'credentials',
    webhook_active: connection.webhookActive,
    last_event_at: toNullableIso(connection.lastEventAt),
    last_error: connection.lastError,
    last_checked_at: toNullableIso(connection.lastCheckedAt),
    created_at: toIso(connection.createdAt),
    updated_at: toIso(connection.updatedAt),
  };
}

function toNullableIso(instant: Instant | null): string | null {
  return instant === null ? null : toIso(instant);
}
