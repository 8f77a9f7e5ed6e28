import type { Plan } from '#domain/plans/tiers.js';
import { type FieldProblem, HubError } from '#kernel/errors/hub-error.js';
import type { AccessTokens } from '../oauth2/access-tokens.js';
import type { IssuedTokens } from '../oauth2/token-endpoint.client.js';
import { PlanGate } from '#kernel/plans/plan-gate.js';
import { type ProviderSignIn, selectSignIn, signInSetting } from '#sdk/manifest/oauth2-rules.js';
import { listFieldNames, validateFields, listSecretFields } from './connection-schema.js';
import type { ConnectablePlugin, PluginDirectory } from './plugin.directory.js';

type Fields = Readonly<Record<string, unknown>>;

/** A request to connect a provider, through REST or MCP. */
export interface ConnectRequest {
  readonly provider?: string | undefined;
  readonly credentials?: Fields | undefined;
  readonly settings?: Fields | undefined;
  readonly name?: string | undefined;
}

/** A validated request, whose credentials can be tested. */
export interface ConnectInput {
  readonly plugin: ConnectablePlugin;
  readonly credentials: Fields;
  readonly settings: Fields;
  readonly name: string;
  /** How requests are authenticated; undefined with pasted credentials. */
  readonly tokens?: AccessTokens | undefined;
  /** What the connection is to be saved with: undefined leaves the stored tokens, null removes them. */
  readonly issued?: IssuedTokens | null | undefined;
  /** The connection to change; undefined makes one, or changes the one of this name. */
  readonly connectionId?: string | undefined;
}

/** Aliases that clients use for a plugin ID. */
const ALIASES = new Map([
  ['cal_com', 'calcom'],
  ['cal.com', 'calcom'],
]);

/** Minimum length of a secret that a person types and that verifies webhooks. */
export const MIN_SIGNING_SECRET_BYTES = 16;

/** Field names that clients use for the secret of a provider that has only one. */
const GENERIC_SECRET_NAMES = ['api_key', 'access_token'];

/**
 * Validates a request against the manifest of its plugin and the plan of the workspace.
 * @throws HubError `provider_and_credentials_required`, `unknown_provider`, `plan_required`, `plugin_not_ready`,
 *   `invalid_credentials`, `invalid_request` for settings
 */
export function parseConnectRequest(directory: PluginDirectory, plan: Plan, request: ConnectRequest): ConnectInput {
  const { provider, credentials: sent, settings = {}, name } = request;
  if (provider === undefined || provider.trim() === '') throw new HubError('provider_and_credentials_required');
  const plugin = resolveProvider(directory, plan, provider);
  const { credentials: schema, settings: settingsSchema, displayName, dormant } = plugin.manifest;
  if (dormant) {
    throw HubError.invalidRequest([{ field: 'provider', message: `${displayName} works without a connection.` }]);
  }
  const signIn = selectSignIn(plugin.manifest, settings);
  if (signIn && (!schema || sent === undefined)) throw createSignInRequiredError(plugin, signIn);
  if (sent === undefined && listFieldNames(schema).length > 0) throw new HubError('provider_and_credentials_required');
  const credentials = validateFields('credentials', schema, mapGenericCredentials(plugin, trimStrings(sent ?? {})));
  if (!credentials.ok) throw HubError.invalidCredentials(undefined, credentials.problems);
  const weak = findWeakSigningSecrets(plugin, credentials.values);
  if (weak.length > 0) throw HubError.invalidCredentials(undefined, weak);
  const validated = validateFields('settings', settingsSchema, settings);
  if (!validated.ok) throw HubError.invalidRequest(validated.problems);
  return { plugin, credentials: credentials.values, settings, name: name?.trim() || displayName, issued: null };
}

/** 400: the provider is connected by signing in there. */
function createSignInRequiredError({ id, manifest }: ConnectablePlugin, { name }: ProviderSignIn): HubError {
  const also = manifest.credentials ? ', or send its credentials' : '';
  return new HubError('provider_and_credentials_required', {
    detail: `${name} is connected by signing in there: get a link from POST /v2/workspace/integrations/${id}/authorize${also}.`,
  });
}

/** Changes of a connection whose credentials stay. */
export interface ConnectionChange {
  readonly name?: string | undefined;
  /** The settings that change; null returns one to its default. */
  readonly settings?: Fields | undefined;
}

/**
 * Applies changes to the settings of a connection, and validates the result.
 * @param current settings as they are stored
 * @throws HubError `invalid_request` naming the setting
 */
export function mergeSettings(
  { manifest }: ConnectablePlugin,
  current: Fields,
  { settings = {} }: ConnectionChange,
): Fields {
  const merged = Object.fromEntries(
    Object.entries({ ...current, ...settings }).filter(([name]) => settings[name] !== null),
  );
  const validated = validateFields('settings', manifest.settings, merged);
  if (!validated.ok) throw HubError.invalidRequest(validated.problems);
  return merged;
}

/**
 * Checks that a connection which was made by sign-in stays with its provider, to which its tokens belong.
 * @throws HubError `invalid_request` naming the setting that selects the provider
 */
export function requireSameSignIn({ manifest }: ConnectablePlugin, before: Fields, after: Fields): void {
  const [from, to] = [before, after].map(settings => selectSignIn(manifest, settings));
  if (from?.value === to?.value) return;
  const message = `This connection was made by signing in at ${from?.name ?? manifest.displayName}: disconnect it first, and connect the other provider.`;
  throw HubError.invalidRequest([{ field: `settings.${signInSetting(manifest)}`, message }]);
}

/** Returns the plugin ID for a provider name or alias, in any case. */
export function toPluginId(provider: string): string {
  const name = provider.trim().toLowerCase();
  return ALIASES.get(name) ?? name.replaceAll('_', '-');
}

/**
 * Returns the plugin of a provider name or alias, if it is running and the plan includes it.
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

/** Renames a generically named secret to the field of the manifest, if the provider has only one secret. */
export function mapGenericCredentials({ manifest }: ConnectablePlugin, credentials: Fields): Fields {
  const [secret, ...others] = listSecretFields(manifest.credentials);
  const generic = GENERIC_SECRET_NAMES.find(name => Object.hasOwn(credentials, name));
  const known = listFieldNames(manifest.credentials);
  if (secret === undefined || others.length > 0 || generic === undefined) return credentials;
  if (known.includes(generic) || Object.hasOwn(credentials, secret)) return credentials;
  const { [generic]: value, ...rest } = credentials;
  return { ...rest, [secret]: value };
}

/** Returns a problem for each secret that verifies webhooks and is too short to withstand guessing. */
function findWeakSigningSecrets({ manifest }: ConnectablePlugin, credentials: Fields): FieldProblem[] {
  const fields = Object.values(manifest.inbound ?? {}).flatMap(({ signature }) => signature?.secretFrom ?? []);
  const isWeak = (field: string): boolean => {
    const value = credentials[field];
    return typeof value === 'string' && Buffer.byteLength(value) < MIN_SIGNING_SECRET_BYTES;
  };
  return [...new Set(fields)].filter(isWeak).map(field => ({
    field: `credentials.${field}`,
    message: `${field} must have at least ${MIN_SIGNING_SECRET_BYTES} bytes, because webhooks are verified with it; make a longer one at the provider`,
  }));
}

/** Trims all strings: pasted keys often carry blanks or a line end, and no key begins or ends with one. */
function trimStrings(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, typeof value === 'string' ? value.trim() : value]),
  );
}

function listReadyIds(directory: PluginDirectory): string[] {
  return directory.list().flatMap(({ id }) => (directory.findReady(id) ? [id] : []));
}
