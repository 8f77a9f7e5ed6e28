import { Injectable } from '@nestjs/common';
import { newId } from '#kernel/ids.js';
import { recordAct } from '#kernel/audit/audit-log.js';
import type { Caller } from '#kernel/auth/caller.js';
import { remainingMs } from '#kernel/request-context.js';
import { QuotaService } from '#kernel/quotas/quota.service.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { HandlerResponse } from '#kernel/http/response.hook.js';
import { type IdempotencyKey, runOnce, lookUpKeys } from '#kernel/idempotency/idempotency-store.js';
import { CHECK_INTERVAL_MS, withJitter, type Connection, isEstablished } from './connection.js';
import {
  type ConnectionChange,
  type ConnectRequest,
  type ConnectInput,
  mergeSettings,
  requireSameSignIn,
  parseConnectRequest,
  resolveProvider,
} from './connect.input.js';
import { type ConnectionRef, findConnection, toSlot } from './connection-lookup.js';
import { listSecretFields, omitFields } from './connection-schema.js';
import { ConnectionUpgradeService } from './connection-upgrade.service.js';
import { ConnectionUrlsService } from './connection-urls.service.js';
import { ConnectionVault, type WebhookSecrets } from './connection-vault.js';
import {
  markAbandoned,
  deleteConnection,
  insertConnection,
  readConnectionInSlot,
  saveConnected,
} from './connections.queries.js';
import { LifecycleError, LifecycleRunner } from './lifecycle.runner.js';
import { PluginDirectory } from './plugin.directory.js';
import { toConnectResult } from './connection.presenter.js';
import type { ConnectResult } from './connections.dto.js';

const MAX_CALL_TIMEOUT_MS = 8_000;
/** Part of a request's time that is reserved for the database and the response. */
const RESPONSE_RESERVE_MS = 1_500;

/** A connection that is not saved as connected yet, with its opened webhook secrets. */
interface DraftConnection {
  readonly connection: Connection;
  readonly webhookSecrets: WebhookSecrets;
  readonly isNew: boolean;
}

/** Connects workspaces to providers. Nothing is saved before the provider has accepted the credentials. */
@Injectable()
export class ConnectorService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly directory: PluginDirectory,
    private readonly vault: ConnectionVault,
    private readonly runner: LifecycleRunner,
    private readonly urls: ConnectionUrlsService,
    private readonly quotas: QuotaService,
    private readonly upgrades: ConnectionUpgradeService,
  ) {}

  /**
   * Connects a provider, or replaces the credentials and settings of an existing connection.
   * @throws HubError those of `parseConnectRequest`; `invalid_credentials`, `provider_refused` or
   *   `provider_unreachable` by the response of the provider; `connection_busy` while another request connects the same
   *   provider
   */
  async connect(
    caller: Caller,
    request: ConnectRequest,
    key?: IdempotencyKey,
  ): Promise<HandlerResponse<ConnectResult>> {
    const { workspaceId, plan } = caller;
    const input = parseConnectRequest(this.directory, plan, request);
    const replay = key && (await this.findReplay(workspaceId, key));
    return replay ?? this.apply(workspaceId, input, key);
  }

  /**
   * Changes settings and name of a connection; its stored credentials are tested with them.
   * @throws HubError those of `findConnection`, `connection_name_taken`, `not_connected`, `unknown_provider`, `plan_required`, `plugin_not_ready`, `invalid_request`, and
   *   those of {@link connect} by the response of the provider
   */
  async change(
    { workspaceId, plan }: Caller,
    ref: ConnectionRef,
    change: ConnectionChange,
    key?: IdempotencyKey,
  ): Promise<HandlerResponse<ConnectResult>> {
    const plugin = resolveProvider(this.directory, plan, ref.plugin);
    const replay = key && (await this.findReplay(workspaceId, key));
    if (replay) return replay;
    const { connection, credentials, tokens } = await this.upgrades.open(workspaceId, plugin, ref.id);
    const settings = mergeSettings(plugin, connection.settings, change);
    if (tokens) requireSameSignIn(plugin, connection.settings, settings);
    const name = change.name?.trim() || connection.name;
    const connectionId = connection.id;
    return this.apply(workspaceId, { plugin, credentials, settings, name, tokens, connectionId }, key);
  }

  /**
   * Connects a provider at which somebody has signed in, or replaces the tokens of an existing connection.
   * @throws HubError those of {@link connect} by the response of the provider
   */
  async connectSignedIn(workspaceId: string, input: ConnectInput): Promise<ConnectResult> {
    return (await this.apply(workspaceId, input, undefined)).body;
  }

  private async apply(
    workspaceId: string,
    input: ConnectInput,
    key: IdempotencyKey | undefined,
  ): Promise<HandlerResponse<ConnectResult>> {
    await this.urls.check(input.plugin.manifest, input);
    await this.requirePassingTest(workspaceId, input);
    const draft = await this.createDraft(workspaceId, input);
    await this.connectAtProvider(draft, input);
    return this.finalize(draft, input, key);
  }

  private findReplay(workspaceId: string, key: IdempotencyKey): Promise<HandlerResponse<ConnectResult> | undefined> {
    return this.work.run(workspaceId, async tx => {
      const [keyState] = await lookUpKeys(tx, [key]);
      if (keyState instanceof HubError) throw keyState;
      return keyState instanceof HandlerResponse ? (keyState as HandlerResponse<ConnectResult>) : undefined;
    });
  }

  private async requirePassingTest(
    workspaceId: string,
    { plugin, credentials, settings, tokens }: ConnectInput,
  ): Promise<void> {
    const { outcome, message } = await this.runner.test(
      plugin,
      { workspaceId, credentials, settings, tokens },
      computeCallTimeoutMs() / 2,
    );
    if (outcome === 'ok') return;
    if (outcome === 'unreachable') throw new HubError('provider_unreachable', { detail: message });
    throw HubError.invalidCredentials(message, [{ field: 'credentials', message }]);
  }

  /**
   * Creates a connection in the state `testing` with the accepted credentials, or returns the active one. If this
   * process dies, the connection monitor abandons the new one and removes its subscription at the provider.
   */
  private createDraft(
    workspaceId: string,
    { plugin, name, settings, credentials, connectionId }: ConnectInput,
  ): Promise<DraftConnection> {
    return this.work.run(workspaceId, async tx => {
      const slot = toSlot(plugin.manifest, name);
      const inSlot = await readConnectionInSlot(tx, plugin.id, slot);
      const current = connectionId ? await findConnection(tx, { plugin: plugin.id, id: connectionId }) : inSlot;
      if (inSlot && inSlot.id !== current?.id) throw new HubError('connection_name_taken');
      if (current && isEstablished(current)) {
        return {
          connection: { ...current, name, slot },
          webhookSecrets: this.vault.openWebhookSecrets(current),
          isNew: false,
        };
      }
      const id = newId();
      const webhook = this.vault.createWebhookSecrets({ workspaceId, id });
      const now = await tx.now();
      const connection: Connection = {
        workspaceId,
        id,
        plugin: plugin.id,
        slot,
        pluginVersion: plugin.version,
        name,
        settings,
        credentials: this.vault.sealCredentials({ workspaceId, id }, credentials),
        webhookSecrets: webhook.sealed,
        tokens: null,
        tokensExpireAt: null,
        state: 'testing',
        webhookActive: null,
        failures: 0,
        lastError: null,
        lastEventAt: null,
        lastCheckedAt: null,
        createdAt: now,
        updatedAt: now,
      };
      if (!current) await this.quotas.requireRoom(tx, 'connections');
      const inserted = !current && (await insertConnection(tx, connection, webhook.hash));
      if (!inserted) throw new HubError('connection_busy', { retryAfterSeconds: 2 });
      return { connection, webhookSecrets: webhook.open, isNew: true };
    });
  }

  /**
   * Creates the subscription. A refused draft is deleted; after any other failure a subscription may exist, so it is
   * abandoned.
   */
  private async connectAtProvider(
    { connection, webhookSecrets, isNew }: DraftConnection,
    input: ConnectInput,
  ): Promise<void> {
    try {
      await this.runner.connect(input.plugin, connection, webhookSecrets, input, computeCallTimeoutMs());
    } catch (error) {
      const isPermanent = error instanceof LifecycleError && error.permanent;
      const cleanUp = isPermanent ? deleteConnection : markAbandoned;
      if (isNew) await this.work.run(connection.workspaceId, async tx => cleanUp(tx, connection.id));
      if (!(error instanceof LifecycleError)) throw error;
      throw new HubError(error.permanent ? 'provider_refused' : 'provider_unreachable', { detail: error.message });
    }
  }

  private finalize(
    { connection, isNew }: DraftConnection,
    input: ConnectInput,
    key?: IdempotencyKey,
  ): Promise<HandlerResponse<ConnectResult>> {
    const { workspaceId, id, plugin } = connection;
    const credentials = this.vault.sealCredentials(connection, input.credentials);
    const webhookActive = Object.keys(input.plugin.manifest.inbound ?? {}).length > 0 ? true : null;
    const pluginVersion = input.plugin.version;
    const { tokens: _, ...draft } = connection;
    const connected = {
      ...draft,
      ...this.sealIssued(connection, input.issued),
      pluginVersion,
      settings: input.settings,
      credentials,
      webhookActive,
    };
    return this.work.run(workspaceId, tx =>
      runOnce(tx, key, async () => {
        const saved = await saveConnected(tx, connected, withJitter(CHECK_INTERVAL_MS));
        if (!saved) throw new HubError('connection_busy', { retryAfterSeconds: 2 });
        tx.emit({ type: 'connection.connected', payload: { connection_id: id, plugin } });
        const secret = listSecretFields(input.plugin.manifest.settings);
        recordAct(tx, {
          action: isNew ? 'integration.connect' : 'integration.change',
          objectId: id,
          before: isNew ? null : { plugin, settings: omitFields(connection.settings, secret) },
          after: { plugin, settings: omitFields(input.settings, secret) },
        });
        return new HandlerResponse(toConnectResult(saved, input.plugin), isNew ? 201 : 200);
      }),
    );
  }

  /** Returns the tokens to save: none if the stored ones stay. */
  private sealIssued(connection: Connection, issued: ConnectInput['issued']) {
    if (issued === undefined) return {};
    if (issued === null) return { tokens: null, tokensExpireAt: null };
    const { accessToken, refreshToken, expiresAt } = issued;
    const tokens = this.vault.sealTokens(connection, { accessToken, refreshToken: refreshToken ?? undefined });
    return { tokens, tokensExpireAt: expiresAt };
  }
}

/** Returns how long a plugin call may take within the remaining time of the request, in milliseconds. */
function computeCallTimeoutMs(): number {
  return Math.max(500, Math.min(MAX_CALL_TIMEOUT_MS, (remainingMs() ?? MAX_CALL_TIMEOUT_MS) - RESPONSE_RESERVE_MS));
}
