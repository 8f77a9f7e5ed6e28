import type { Plan } from '#domain/plans/tiers.js';
import { HubError } from '#kernel/errors/errors.js';
import { PlanGate } from '#kernel/plans/plan-gate.js';
import { fieldsOf, fit, secretFields } from './connection-schema.js';
import type { ConnectablePlugin, PluginDirectory } from './plugin-directory.js';
import { pluginOf } from './provider-names.js';

type Fields = Readonly<Record<string, unknown>>;

/** What somebody sends who connects a provider, from whichever door. */
export interface ConnectRequest {
  readonly provider?: string | undefined;
  readonly credentials?: Fields | undefined;
  readonly settings?: Fields | undefined;
  readonly name?: string | undefined;
}

/** A request that may be tried out. */
export interface ConnectWish {
  readonly plugin: ConnectablePlugin;
  readonly credentials: Fields;
  readonly settings: Fields;
  readonly name: string;
}

/** Names by which clients send the one secret that a provider has. */
const genericNames = ['api_key', 'access_token'];

/**
 * Checks a request against the manifest of its plugin and the plan of the workspace.
 * @throws HubError `provider_and_credentials_required`, `unknown_provider`, `plan_required`, `plugin_not_ready`,
 *   `invalid_credentials`, `invalid_request` for settings
 */
export function readConnectRequest(directory: PluginDirectory, plan: Plan, request: ConnectRequest): ConnectWish {
  const { provider, credentials: given, settings = {}, name } = request;
  if (provider === undefined || provider.trim() === '') throw new HubError('provider_and_credentials_required');
  const plugin = pluginFor(directory, plan, provider);
  const { credentials: schema, settings: settingsSchema, displayName, dormant } = plugin.manifest;
  if (dormant) {
    throw HubError.invalidRequest([{ field: 'provider', message: `${displayName} works without a connection.` }]);
  }
  if (given === undefined && fieldsOf(schema).length > 0) throw new HubError('provider_and_credentials_required');
  const credentials = fit('credentials', schema, renamed(plugin, asPasted(given ?? {})));
  if (!credentials.ok) throw HubError.invalidCredentials(undefined, credentials.problems);
  const fitted = fit('settings', settingsSchema, settings);
  if (!fitted.ok) throw HubError.invalidRequest(fitted.problems);
  return { plugin, credentials: credentials.values, settings, name: name?.trim() || displayName };
}

/**
 * The plugin that a client means, when it serves and the plan includes it.
 * @throws HubError `unknown_provider`, `plugin_not_ready`, `plan_required`
 */
export function pluginFor(directory: PluginDirectory, plan: Plan, provider: string): ConnectablePlugin {
  const id = pluginOf(provider);
  const plugin = directory.ready(id);
  if (!plugin) {
    const found = directory.list().find(each => each.id === id);
    throw found ? HubError.pluginNotReady(found.reason) : HubError.unknownProvider(provider, readyIds(directory));
  }
  const { minPlan } = plugin.manifest;
  if (!PlanGate.may(plan, minPlan)) throw HubError.planRequired(minPlan);
  return plugin;
}

/** Credentials by the names of the manifest: a provider that has one secret only is given it under any usual name. */
export function renamed({ manifest }: ConnectablePlugin, given: Fields): Fields {
  const [secret, ...others] = secretFields(manifest.credentials);
  const generic = genericNames.find(name => Object.hasOwn(given, name));
  const known = fieldsOf(manifest.credentials);
  if (secret === undefined || others.length > 0 || generic === undefined) return given;
  if (known.includes(generic) || Object.hasOwn(given, secret)) return given;
  const { [generic]: value, ...rest } = given;
  return { ...rest, [secret]: value };
}

/** What is pasted brings the blanks and the line end along that stood beside it; no key begins or ends with one. */
function asPasted(given: Fields): Fields {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, typeof value === 'string' ? value.trim() : value]),
  );
}

function readyIds(directory: PluginDirectory): string[] {
  return directory.list().flatMap(({ id }) => (directory.ready(id) ? [id] : []));
}
