import { Injectable, Logger } from '@nestjs/common';
import semver from 'semver';
import type { StoredValues } from '#sdk/lifecycle.js';
import type { JsonSchema } from '#sdk/schema.js';
import { isPermanentError } from '#sdk/errors.js';
import { selectSignIn } from '#sdk/manifest/oauth2-rules.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { createRedactor } from '#kernel/egress/redactor.js';
import type { FieldProblem } from '#kernel/errors/hub-error.js';
import { withTimeout } from '#kernel/scheduling/timeout.js';
import { errorMessage } from '#kernel/telemetry/throttled-logger.js';
import type { AccessTokens } from '../oauth2/access-tokens.js';
import { ConnectionTokensService } from '../oauth2/connection-tokens.service.js';
import { ReconnectRequiredError } from '../reconnect-required.error.js';
import type { Connection } from './connection.js';
import { requireConnection, toSlot } from './connection-lookup.js';
import { listFieldNames, listSecretFields, pickDeclared, validateFields } from './connection-schema.js';
import { ConnectionVault } from './connection-vault.js';
import { markReconnect, saveUpgraded } from './connections.queries.js';
import type { ConnectablePlugin } from './plugin.directory.js';

type Fields = Readonly<Record<string, unknown>>;

/** A connection with its decrypted credentials. */
export interface OpenedConnection {
  readonly connection: Connection;
  readonly credentials: Fields;
  /** Undefined if the credentials were pasted. */
  readonly tokens: AccessTokens | undefined;
}

/** Converting values needs no provider, so it is quick. */
const TIMEOUT_MS = 2_000;

/** Brings connections to the version of the plugin that runs. */
@Injectable()
export class ConnectionUpgradeService {
  private readonly log = new Logger('connections');

  constructor(
    private readonly work: UnitOfWork,
    private readonly vault: ConnectionVault,
    private readonly tokens: ConnectionTokensService,
  ) {}

  /**
   * Returns a connection of a workspace to a plugin in the form of the running version, with its credentials.
   * @param id of the connection; may be missing if there is only one
   * @throws HubError `not_connected` if there is none, or if it has to be made again; those of `findConnection`
   * @throws UnsealError if the credentials cannot be decrypted
   */
  async open(workspaceId: string, plugin: ConnectablePlugin, id?: string): Promise<OpenedConnection> {
    const current = await this.work.run(workspaceId, tx => requireConnection(tx, { plugin: plugin.id, id }));
    const connection = await this.upgrade(plugin, current);
    const tokens = this.tokens.open(connection, plugin.manifest);
    return { connection, credentials: this.vault.openCredentials(connection), tokens };
  }

  /**
   * Returns a connection whose values fit the running plugin. Values of an older version are converted by the plugin's
   * `migrate` and saved; fields that are no longer declared are dropped. Values of a newer version are left as they are:
   * another process runs it.
   * @throws ReconnectRequiredError if the values do not fit; the connection then has the state `reconnect`
   * @throws UnsealError if the credentials cannot be decrypted
   */
  async upgrade(plugin: ConnectablePlugin, connection: Connection): Promise<Connection> {
    const { pluginVersion, state } = connection;
    const isCurrent = pluginVersion === plugin.version || isNewer(pluginVersion, plugin.version);
    if (isCurrent && state === 'reconnect') throw new ReconnectRequiredError(connection.lastError);
    if (isCurrent) return connection;
    const stored = {
      version: pluginVersion,
      settings: connection.settings,
      credentials: this.vault.openCredentials(connection),
    } as StoredValues;
    const converted = await convert(plugin, stored, connection.tokens !== null);
    if ('reason' in converted) return this.refuse(plugin, connection, converted.reason);
    const { settings } = converted;
    const credentials = this.vault.sealCredentials(connection, converted.credentials);
    // A plugin that allows several connections from now on tells them apart by their names.
    const slot = plugin.manifest.multipleConnections ? toSlot(plugin.manifest, connection.name) : connection.slot;
    const upgraded = { ...connection, slot, settings, credentials, pluginVersion: plugin.version };
    await this.work.run(connection.workspaceId, async tx => saveUpgraded(tx, upgraded, pluginVersion));
    return { ...upgraded, state: state === 'reconnect' ? 'connected' : state };
  }

  private async refuse(
    plugin: ConnectablePlugin,
    { workspaceId, id, pluginVersion }: Connection,
    reason: string,
  ): Promise<never> {
    await this.work.run(workspaceId, async tx => markReconnect(tx, id, pluginVersion, reason));
    this.log.warn(`A connection of ${plugin.id} ${pluginVersion} does not fit version ${plugin.version}: ${reason}`);
    throw new ReconnectRequiredError(reason);
  }
}

/**
 * Returns the values in the form of the running version, or one sentence about what does not fit. The credentials of a
 * connection by sign-in come from the provider, so no schema describes them.
 */
async function convert(
  { id, version, manifest, lifecycle }: ConnectablePlugin,
  stored: StoredValues,
  isSignedIn: boolean,
): Promise<{ readonly settings: Fields; readonly credentials: Fields } | { readonly reason: string }> {
  const redact = createRedactor(listSecrets(manifest.credentials, stored.credentials));
  const signIn = selectSignIn(manifest, stored.settings);
  if (isSignedIn ? !signIn : signIn && !manifest.credentials)
    return { reason: `Version ${version} of ${id} connects in another way.` };
  try {
    const migrated = lifecycle?.migrate
      ? await withTimeout(TIMEOUT_MS, Promise.resolve(lifecycle.migrate(stored)), 'migrate')
      : stored;
    const settings = pickDeclared(manifest.settings, migrated.settings);
    const checkedCredentials = isSignedIn
      ? ({ ok: true, values: migrated.credentials } as const)
      : validateFields('credentials', manifest.credentials, pickDeclared(manifest.credentials, migrated.credentials));
    const checkedSettings = validateFields('settings', manifest.settings, settings);
    if (!checkedCredentials.ok) return { reason: explain(id, version, checkedCredentials.problems) };
    if (!checkedSettings.ok) return { reason: explain(id, version, checkedSettings.problems) };
    return { settings, credentials: checkedCredentials.values };
  } catch (error) {
    if (isPermanentError(error)) return { reason: redact(errorMessage(error)) };
    return {
      reason: `Version ${version} of ${id} could not convert the stored values: ${redact(errorMessage(error))}`,
    };
  }
}

function explain(id: string, version: string, problems: readonly FieldProblem[]): string {
  return `Version ${version} of ${id} needs other values: ${problems.map(({ message }) => message).join(' ')}`;
}

/** Returns the texts that no message may quote. What the running version does not know may be secret. */
function listSecrets(schema: JsonSchema | undefined, credentials: Fields): string[] {
  const [known, secret] = [listFieldNames(schema), listSecretFields(schema)];
  return Object.entries(credentials).flatMap(([name, value]) =>
    typeof value === 'string' && (secret.includes(name) || !known.includes(name)) ? [value] : [],
  );
}

function isNewer(stored: string, running: string): boolean {
  return semver.valid(stored) !== null && semver.valid(running) !== null && semver.gt(stored, running);
}
