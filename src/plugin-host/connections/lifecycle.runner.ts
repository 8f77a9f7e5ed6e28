import { Inject, Injectable } from '@nestjs/common';
import type { CheckResult, TestResult } from '#sdk/lifecycle.js';
import { isPermanentError, isUnreachable } from '#sdk/errors.js';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import { withTimeout } from '#kernel/scheduling/timeout.js';
import { type HubContextHandle, HubContextFactory, type ConnectionTest } from '../context/hub-context.factory.js';
import type { Connection } from './connection.js';
import { ConnectionVault, type WebhookSecrets } from './connection-vault.js';
import { toConnectionInfo, listWebhookSecrets } from './webhook-urls.js';
import type { ConnectablePlugin } from './plugin.directory.js';

/** What a plugin did not manage to do at its provider, in words without secrets. */
export class LifecycleError extends Error {
  constructor(
    message: string,
    /** Nobody answered; otherwise the provider or the plugin said no. */
    readonly unreachable: boolean,
    /** Trying again cannot help until what the message names has been mended. */
    readonly permanent = false,
  ) {
    super(message);
  }
}

const MAX_MESSAGE_LENGTH = 300;
/** Asked to stop, a plugin gets this long before it is no longer waited for. */
const ABORT_GRACE_MS = 200;

/** Calls the lifecycle of plugins, each call with a hub of its own and in bounded time. */
@Injectable()
export class LifecycleRunner {
  constructor(
    private readonly contexts: HubContextFactory,
    private readonly vault: ConnectionVault,
    @Inject(ENV) private readonly env: Env,
  ) {}

  /** Whether the provider takes the credentials. Never rejects: what a plugin throws is an answer as well. */
  async test(
    plugin: ConnectablePlugin,
    trial: Omit<ConnectionTest, 'signal' | 'plugin'>,
    ms: number,
  ): Promise<TestResult> {
    const { lifecycle } = plugin;
    if (!lifecycle) return { outcome: 'ok', message: 'There is nothing to test.' };
    try {
      return await this.call(
        ms,
        signal => this.contexts.createForTest({ ...trial, plugin, signal }),
        async ({ hub, redact }) => {
          const { outcome, message } = await lifecycle.test(hub);
          return { outcome, message: truncateMessage(redact(String(message))) };
        },
      );
    } catch (error) {
      const { permanent, message } = error as LifecycleError;
      return { outcome: permanent ? 'bad_credentials' : 'unreachable', message };
    }
  }

  /** Makes, or finds, the subscription at the provider. @throws LifecycleFailure */
  async connect(
    plugin: ConnectablePlugin,
    connection: Connection,
    hook: WebhookSecrets,
    trial: Pick<ConnectionTest, 'credentials' | 'settings'>,
    ms: number,
  ): Promise<void> {
    const { workspaceId } = connection;
    await this.call(
      ms,
      signal =>
        this.contexts.createForTest({
          ...trial,
          workspaceId,
          plugin,
          connection,
          secrets: listWebhookSecrets(hook),
          signal,
        }),
      async ({ hub }) => plugin.lifecycle?.connect(hub, this.toInfo(plugin, connection, hook)),
    );
  }

  /** Removes the subscription at the provider. @throws LifecycleFailure */
  async disconnect(plugin: ConnectablePlugin, connection: Connection, ms: number): Promise<void> {
    await this.call(
      ms,
      signal => this.contexts.create({ workspaceId: connection.workspaceId, plugin, connection, signal }),
      async ({ hub }) => plugin.lifecycle?.disconnect(hub, this.toInfo(plugin, connection)),
    );
  }

  /** How the connection is; undefined when the plugin has no way to tell. @throws LifecycleFailure */
  check(plugin: ConnectablePlugin, connection: Connection, ms: number): Promise<CheckResult | undefined> {
    const { workspaceId } = connection;
    return this.call(
      ms,
      signal => this.contexts.create({ workspaceId, plugin, connection, signal }),
      async ({ hub }) => plugin.lifecycle?.check?.(hub, this.toInfo(plugin, connection)),
    );
  }

  private toInfo(plugin: ConnectablePlugin, connection: Connection, hook = this.vault.openWebhookSecrets(connection)) {
    return toConnectionInfo(connection, plugin.manifest, hook, this.env.publicUrl);
  }

  private async call<T>(
    ms: number,
    make: (signal: AbortSignal) => HubContextHandle,
    work: (made: HubContextHandle) => Promise<T>,
  ): Promise<T> {
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(new Error(`took longer than ${ms} ms`)), ms);
    let made: HubContextHandle | undefined;
    try {
      made = make(limit.signal);
      return await withTimeout(ms + ABORT_GRACE_MS, work(made), 'the plugin');
    } catch (error) {
      const message = limit.signal.aborted ? `There was no answer within ${ms} ms.` : toMessage(error);
      throw new LifecycleError(
        truncateMessage(made?.redact(message) ?? message),
        limit.signal.aborted || isUnreachable(error),
        !limit.signal.aborted && isPermanentError(error),
      );
    } finally {
      clearTimeout(timer);
      limit.abort(new Error('the call is over'));
    }
  }
}

function toMessage(error: unknown): string {
  return String((error as { message?: unknown } | undefined)?.message ?? error);
}

function truncateMessage(text: string): string {
  return text.length > MAX_MESSAGE_LENGTH ? `${text.slice(0, MAX_MESSAGE_LENGTH)}…` : text;
}
