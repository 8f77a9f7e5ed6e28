import { Injectable } from '@nestjs/common';
import { newId } from '#kernel/ids.js';
import type { Caller } from '#kernel/auth/caller.js';
import { remainingMs } from '#kernel/context/request-context.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/errors.js';
import { Answered } from '#kernel/idempotency/answered.js';
import type { IdempotencyKey } from '#kernel/idempotency/idempotency-key.js';
import { once, standingOf } from '#kernel/idempotency/kept-answers.js';
import { CHECK_EVERY_MS, jittered } from './check-times.js';
import type { ConnectRequest, ConnectWish } from './connect-request.js';
import { readConnectRequest } from './connect-request.js';
import { type Connection, isLive } from './connection.js';
import { ConnectionUrlsService } from './connection-urls.service.js';
import { ConnectionVault, type HookSecrets } from './connection-vault.js';
import { abandon, deleteConnection, insertConnection, readCurrent, saveConnected } from './connections.queries.js';
import { LifecycleFailure, LifecycleRunner } from './lifecycle-runner.js';
import { PluginDirectory } from './plugin-directory.js';
import { type Connected, showConnected } from './shown-connection.js';

const LONGEST_CALL_MS = 8_000;
/** Of a request's time, what stays for the database and the answer. */
const RESERVE_MS = 1_500;

/** A connection before it is announced, with what it is reached by. */
interface Draft {
  readonly connection: Connection;
  readonly webhookSecrets: HookSecrets;
  readonly isNew: boolean;
}

/** Connects workspaces to providers: nothing is saved before the provider has accepted the credentials. */
@Injectable()
export class Connector {
  constructor(
    private readonly work: UnitOfWork,
    private readonly directory: PluginDirectory,
    private readonly vault: ConnectionVault,
    private readonly runner: LifecycleRunner,
    private readonly urls: ConnectionUrlsService,
  ) {}

  /**
   * Connects a provider, or gives a connection that is there other credentials and settings.
   * @throws HubError as `readConnectRequest`, and `invalid_credentials`, `provider_refused` or `provider_unreachable` by
   *   what the provider says, `connection_busy` while another request connects the same one
   */
  async connect(caller: Caller, request: ConnectRequest, key?: IdempotencyKey): Promise<Answered<Connected>> {
    const { workspaceId, plan } = caller;
    const wish = readConnectRequest(this.directory, plan, request);
    const replay = key && (await this.answeredBefore(workspaceId, key));
    if (replay) return replay;
    await this.urls.check(wish.plugin.manifest, wish);
    await this.mustPass(workspaceId, wish);
    const draft = await this.draft(workspaceId, wish);
    await this.connectAtProvider(draft, wish);
    return this.announce(draft, wish, key);
  }

  private answeredBefore(workspaceId: string, key: IdempotencyKey): Promise<Answered<Connected> | undefined> {
    return this.work.run(workspaceId, async tx => {
      const [standing] = await standingOf(tx, [key]);
      if (standing instanceof HubError) throw standing;
      return standing instanceof Answered ? (standing as Answered<Connected>) : undefined;
    });
  }

  private async mustPass(workspaceId: string, { plugin, credentials, settings }: ConnectWish): Promise<void> {
    const { outcome, message } = await this.runner.test(plugin, { workspaceId, credentials, settings }, callMs() / 2);
    if (outcome === 'ok') return;
    if (outcome === 'unreachable') throw new HubError('provider_unreachable', { detail: message });
    throw HubError.invalidCredentials(message, [{ field: 'credentials', message }]);
  }

  /**
   * A connection in the state `testing`, with the credentials that the provider has just accepted: should this process
   * die over it, the keeper takes it back, at the provider as well.
   */
  private draft(workspaceId: string, { plugin, name, settings, credentials }: ConnectWish): Promise<Draft> {
    return this.work.run(workspaceId, async tx => {
      const current = await readCurrent(tx, plugin.id);
      if (current && isLive(current)) {
        return { connection: { ...current, name }, webhookSecrets: this.vault.openHook(current), isNew: false };
      }
      const id = newId();
      const hook = this.vault.makeHook({ workspaceId, id });
      const now = await tx.now();
      const connection: Connection = {
        workspaceId,
        id,
        plugin: plugin.id,
        name,
        settings,
        credentials: this.vault.sealCredentials({ workspaceId, id }, credentials),
        webhookSecrets: hook.sealed,
        state: 'testing',
        webhookActive: null,
        failures: 0,
        lastError: null,
        lastEventAt: null,
        lastCheckedAt: null,
        createdAt: now,
        updatedAt: now,
      };
      const inserted = !current && (await insertConnection(tx, connection, hook.hash));
      if (!inserted) throw new HubError('connection_busy', { retryAfterSeconds: 2 });
      return { connection, webhookSecrets: hook.open, isNew: true };
    });
  }

  /** A refusal leaves nothing behind; whoever gave no usable answer may have made a subscription all the same. */
  private async connectAtProvider({ connection, webhookSecrets, isNew }: Draft, wish: ConnectWish): Promise<void> {
    try {
      await this.runner.connect(wish.plugin, connection, webhookSecrets, wish, callMs());
    } catch (error) {
      const refused = error instanceof LifecycleFailure && error.permanent;
      const takeBack = refused ? deleteConnection : abandon;
      if (isNew) await this.work.run(connection.workspaceId, async tx => takeBack(tx, connection.id));
      if (!(error instanceof LifecycleFailure)) throw error;
      throw new HubError(error.permanent ? 'provider_refused' : 'provider_unreachable', { detail: error.message });
    }
  }

  private announce(
    { connection, isNew }: Draft,
    wish: ConnectWish,
    key?: IdempotencyKey,
  ): Promise<Answered<Connected>> {
    const { workspaceId, id, plugin } = connection;
    const credentials = this.vault.sealCredentials(connection, wish.credentials);
    const webhookActive = Object.keys(wish.plugin.manifest.inbound ?? {}).length > 0 ? true : null;
    const made = { ...connection, settings: wish.settings, credentials, webhookActive };
    return this.work.run(workspaceId, tx =>
      once(tx, key, async () => {
        const saved = await saveConnected(tx, made, jittered(CHECK_EVERY_MS));
        if (!saved) throw new HubError('connection_busy', { retryAfterSeconds: 2 });
        tx.emit({ type: 'connection.connected', payload: { connection_id: id, plugin } });
        return new Answered(showConnected(saved, wish.plugin), isNew ? 201 : 200);
      }),
    );
  }
}

/** How long one call of a plugin may take, so that the request is still answered in its time. */
function callMs(): number {
  return Math.max(500, Math.min(LONGEST_CALL_MS, (remainingMs() ?? LONGEST_CALL_MS) - RESERVE_MS));
}
