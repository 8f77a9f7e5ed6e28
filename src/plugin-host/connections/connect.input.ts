import type { Plan } from '#domain/plans/tiers.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { PlanGate } from '#kernel/plans/plan-gate.js';
import { listFieldNames, validateFields, listSecretFields } from './connection-schema.js';
import type { ConnectablePlugin, PluginDirectory } from './plugin.directory.js';
import { toPluginId } from './provider-names.js';

type Fields = Readonly<Record<string, unknown>>;

/** What somebody sends who connects a provider, from whichever door. */
export interface ConnectRequest {
  readonly provider?: string | undefined;
  readonly credentials?: Fields | undefined;
  readonly settings?: Fields | undefined;
  readonly name?: string | undefined;
}

/** A request that may be tried out. */
export interface ConnectInput {
  readonly plugin: ConnectablePlugin;
  readonly credentials: Fields;
  readonly settings: Fields;
  readonly name: string;
}

/** Names by which clients send the one secret that a provider has. */
const GENERIC_SECRET_NAMES = ['api_key', 'access_token'];

/**
 * Checks a request against the manifest of its plugin and the plan of the workspace.
 * @throws HubError `provider_and_credentials_required`, `unknown_provider`, `plan_required`, `plugin_not_ready`,
 *   `invalid_credentials`, `invalid_request` for settings
 */
export function parseConnectRequest(directory: PluginDirectory, plan: Plan, request: ConnectRequest): ConnectInput {
  const { provider, credentials: given, settings = {}, name } = request;
  if (provider === undefined || provider.trim() === '') throw new HubError('provider_and_credentials_required');
  const plugin = resolveProvider(directory, plan, provider);
  const { credentials: schema, settings: settingsSchema, displayName, dormant } = plugin.manifest;
  if (dormant) {
    throw HubError.invalidRequest([{ field: 'provider', message: `${displayName} works without a connection.` }]);
  }
  if (given === undefined && listFieldNames(schema).length > 0) throw new HubError('provider_and_credentials_required');
  const credentials = validateFields('credentials', schema, mapGenericCredentials(plugin, trimStrings(given ?? {})));
  if (!credentials.ok) throw HubError.invalidCredentials(undefined, credentials.problems);
  const fitted = validateFields('settings', settingsSchema, settings);
  if (!fitted.ok) throw HubError.invalidRequest(fitted.problems);
  return { plugin, credentials: credentials.values, settings, name: name?.trim() || displayName };
}

/**
 * The plugin that a client means, when it serves and the plan includes it.
 * @throws HubError `unknown_provider`, `plugin_not_ready`, `plan_required`
 */
export function resolveProvider(directory: PluginDirectory, plan: Plan, provider: string): ConnectablePlugin {
  const id = toPluginId(provider);
  const plugin = directory.findReady(id);
  if (!plugin) {
    const found = directory.list().find(each => each.id === id);
    throw found ? HubError.pluginNotReady(found.reason) : HubError.unknownProvider(provider, listReadyIds(directory));
  }
  const { minPlan } = plugin.manifest;
  if (!PlanGate.isAllowed(plan, minPlan)) throw HubError.planRequired(minPlan);
  return plugin;
}

/** Credentials by the names of the manifest: a provider that has one secret only is given it under any usual name. */
export function mapGenericCredentials({ manifest }: ConnectablePlugin, given: Fields): Fields {
  const [secret, ...others] = listSecretFields(manifest.credentials);
  const generic = GENERIC_SECRET_NAMES.find(name => Object.hasOwn(given, name));
  const known = listFieldNames(manifest.credentials);
  if (secret === undefined || others.length > 0 || generic === undefined) return given;
  if (known.includes(generic) || Object.hasOwn(given, secret)) return given;
  const { [generic]: value, ...rest } = given;
  return { ...rest, [secret]: value };
}

/** What is pasted brings the blanks and the line end along that stood beside it; no key begins or ends with one. */
function trimStrings(given: Fields): Fields {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, typeof value === 'string' ? value.trim() : value]),
  );
}

function listReadyIds(directory: PluginDirectory): string[] {
  return directory.list().flatMap(({ id }) => (directory.findReady(id) ? [id] : []));
}
