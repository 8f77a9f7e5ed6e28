import { Injectable, Logger } from '@nestjs/common';
import type { Caller } from '#kernel/auth/caller.js';
import { recordAct } from '#kernel/audit/audit-log.js';
import { remainingMs } from '#kernel/request-context.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { HandlerResponse } from '#kernel/http/response.hook.js';
import { type IdempotencyKey, runOnce } from '#kernel/idempotency/idempotency-store.js';
import { ConnectionTokensService } from '../oauth2/connection-tokens.service.js';
import { isReconnectRequired } from '../reconnect-required.error.js';
import { toPluginId } from './connect.input.js';
import type { Connection } from './connection.js';
import { type ConnectionRef, findConnection } from './connection-lookup.js';
import type { DisconnectResult } from './connections.dto.js';
import { deleteConnection, markDisconnected } from './connections.queries.js';
import { ConnectionUpgradeService } from './connection-upgrade.service.js';
import { LifecycleRunner } from './lifecycle.runner.js';
import { PluginDirectory } from './plugin.directory.js';

const MAX_CALL_TIMEOUT_MS = 4_000;
const RESPONSE_RESERVE_MS = 1_000;

/** Disconnects workspaces from providers: at once in the hub, and at the provider with retries. */
@Injectable()
export class DisconnectorService {
  private readonly log = new Logger('connections');

  constructor(
    private readonly work: UnitOfWork,
    private readonly directory: PluginDirectory,
    private readonly runner: LifecycleRunner,
    private readonly upgrades: ConnectionUpgradeService,
    private readonly tokens: ConnectionTokensService,
  ) {}

  /**
   * Disconnects a provider. From the commit on nothing is received or sent. The subscription at the provider is removed
   * afterwards, and again later if the provider does not respond. Succeeds if nothing was connected.
   * @throws HubError `unknown_provider`, `connection_required` if there are several and none is named,
   *   `connection_not_found`
   */
  async disconnect(
    caller: Caller,
    { plugin: provider, id }: ConnectionRef,
    key?: IdempotencyKey,
  ): Promise<HandlerResponse<DisconnectResult>> {
    const plugin = toPluginId(provider);
    let disconnected: Connection | undefined;
    const response = await this.work.run(caller.workspaceId, tx =>
      runOnce(tx, key, async () => {
        const found = await findConnection(tx, { plugin, id });
        disconnected = found && (await markDisconnected(tx, found.id));
        if (!disconnected && !this.directory.list().some(({ id }) => id === plugin)) {
          throw HubError.unknownProvider(
            provider,
            this.directory.list().map(({ id }) => id),
          );
        }
        if (disconnected) {
          tx.emit({ type: 'connection.removed', payload: { connection_id: disconnected.id, plugin } });
          recordAct(tx, { action: 'integration.disconnect', objectId: disconnected.id, before: { plugin } });
        }
        return new HandlerResponse(
          { ok: true as const, provider: plugin, disconnected: disconnected !== undefined },
          200,
        );
      }),
    );
    if (disconnected) await this.removeAtProvider(disconnected, computeCallTimeoutMs());
    return response;
  }

  /** Removes the subscription at the provider, then deletes the connection. @returns the error message of a failure */
  async removeAtProvider(connection: Connection, timeoutMs: number): Promise<string | undefined> {
    const plugin = this.directory.findReady(connection.plugin);
    if (!plugin) return 'The plugin is not running.';
    try {
      const upgraded = await this.upgrades.upgrade(plugin, connection).catch(() => connection);
      await this.runner.disconnect(plugin, upgraded, timeoutMs).catch(throwUnlessSignedOut);
      await this.tokens.revoke(upgraded, plugin.manifest);
      await this.work.run(connection.workspaceId, async tx => deleteConnection(tx, connection.id));
      return undefined;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.log.warn(`The subscription at the provider of ${connection.plugin} could not be removed yet: ${message}`);
      return message;
    }
  }
}

/** Without access the hub can remove nothing at the provider, however often it tries. */
function throwUnlessSignedOut(error: unknown): void {
  if (!isReconnectRequired(error)) throw error;
}

function computeCallTimeoutMs(): number {
  return Math.max(200, Math.min(MAX_CALL_TIMEOUT_MS, (remainingMs() ?? MAX_CALL_TIMEOUT_MS) - RESPONSE_RESERVE_MS));
}
