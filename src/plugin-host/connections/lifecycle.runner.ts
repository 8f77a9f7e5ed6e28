import { Inject, Injectable } from '@nestjs/common';
import { HubError } from '#kernel/errors/hub-error.js';
import type { CheckResult, ConnectionOption, OptionsRequest, TestResult } from '#sdk/lifecycle.js';
import { isPermanentError, isUnreachable } from '#sdk/errors.js';
import { isReconnectRequired } from '../reconnect-required.error.js';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import { withTimeout } from '#kernel/scheduling/timeout.js';
import { type HubContextHandle, HubContextFactory, type ConnectionTest } from '../context/hub-context.factory.js';
import type { Connection } from './connection.js';
import { ConnectionVault, type WebhookSecrets } from './connection-vault.js';
import { toConnectionInfo, listWebhookSecrets } from './connection-urls.service.js';
import type { ConnectablePlugin } from './plugin.directory.js';

const MAX_QUOTE_LENGTH = 300;

/** Replacements for the details of errors that may quote a provider. */
const REDACTED_DETAILS = {
  invalid_credentials: 'The provider does not accept these credentials; nothing was saved. Ask the user for others.',
  provider_refused: 'The provider refused to be connected; nothing was saved. Tell the user.',
  provider_unreachable: 'The provider gave no usable answer; nothing was saved. Try again later.',
};
const DRY_RUN_HINT = 'With dry_run the response quotes the message of the provider.';

/** Quotes a provider's message for a model: as a JSON string on one line, at most 300 characters of it. */
export function quoteProviderMessage(message: string): string {
  return JSON.stringify(message.slice(0, MAX_QUOTE_LENGTH));
}

/**
 * Replaces the provider's text in an error, because it must not look like an instruction of this server to a model.
 * Returns other errors unchanged, and keeps problems of single credential fields, which come from the manifest.
 */
export function redactProviderMessage(error: unknown): unknown {
  if (!(error instanceof HubError) || !isProviderError(error.code)) return error;
  const problems = error.details?.filter(({ field }) => field.startsWith('credentials.')) ?? [];
  if (problems.length > 0) return new HubError(error.code, { details: problems });
  return new HubError(error.code, { detail: `${REDACTED_DETAILS[error.code]} ${DRY_RUN_HINT}` });
}

function isProviderError(code: string): code is keyof typeof REDACTED_DETAILS {
  return Object.hasOwn(REDACTED_DETAILS, code);
}

/** A lifecycle call of a plugin failed; the message holds no secrets. */
export class LifecycleError extends Error {
  constructor(
    message: string,
    /** The provider did not respond; otherwise the provider or the plugin refused. */
    readonly unreachable: boolean,
    /** Retrying cannot help until the named problem is fixed. */
    readonly permanent = false,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

const MAX_MESSAGE_LENGTH = 300;
/** How long to wait for a plugin after its signal was aborted, in milliseconds. */
const ABORT_GRACE_MS = 200;

/** Calls lifecycle methods of plugins, each with its own hub context and timeout. */
@Injectable()
export class LifecycleRunner {
  constructor(
    private readonly contexts: HubContextFactory,
    private readonly vault: ConnectionVault,
    @Inject(ENV) private readonly env: Env,
  ) {}

  /** Returns whether the secrets of a connection cannot be read at the moment. */
  isLocked(connection: Connection): boolean {
    return this.vault.isLocked(connection);
  }

  /** Tests credentials at the provider. Never rejects: a permanent error means bad credentials, others unreachable. */
  async test(
    plugin: ConnectablePlugin,
    test: Omit<ConnectionTest, 'signal' | 'plugin'>,
    timeoutMs: number,
  ): Promise<TestResult> {
    const { lifecycle } = plugin;
    if (!lifecycle) return { outcome: 'ok', message: 'There is nothing to test.' };
    try {
      return await this.call(
        timeoutMs,
        signal => this.contexts.createForTest({ ...test, plugin, signal }),
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

  /** Reads the options of a setting from the provider. @throws LifecycleError */
  listOptions(
    plugin: ConnectablePlugin,
    test: Omit<ConnectionTest, 'signal' | 'plugin'>,
    request: OptionsRequest,
    timeoutMs: number,
  ): Promise<ConnectionOption[]> {
    return this.call(
      timeoutMs,
      signal => this.contexts.createForTest({ ...test, plugin, signal }),
      async ({ hub }) => toOptions(await plugin.lifecycle?.options?.(hub, request)),
    );
  }

  /** Creates or finds the subscription at the provider. @throws LifecycleError */
  async connect(
    plugin: ConnectablePlugin,
    connection: Connection,
    webhookSecrets: WebhookSecrets,
    test: Pick<ConnectionTest, 'credentials' | 'settings' | 'tokens'>,
    timeoutMs: number,
  ): Promise<void> {
    const { workspaceId } = connection;
    await this.call(
      timeoutMs,
      signal =>
        this.contexts.createForTest({
          ...test,
          workspaceId,
          plugin,
          connection,
          secrets: listWebhookSecrets(webhookSecrets),
          signal,
        }),
      async ({ hub }) => plugin.lifecycle?.connect(hub, this.toInfo(plugin, connection, webhookSecrets)),
    );
  }

  /** Removes the subscription at the provider. @throws LifecycleError */
  async disconnect(plugin: ConnectablePlugin, connection: Connection, timeoutMs: number): Promise<void> {
    await this.call(
      timeoutMs,
      signal => this.contexts.create({ workspaceId: connection.workspaceId, plugin, connection, signal }),
      async ({ hub }) => plugin.lifecycle?.disconnect(hub, this.toInfo(plugin, connection)),
    );
  }

  /** Checks a connection; returns undefined if the plugin has no check. @throws LifecycleError */
  check(plugin: ConnectablePlugin, connection: Connection, timeoutMs: number): Promise<CheckResult | undefined> {
    const { workspaceId } = connection;
    return this.call(
      timeoutMs,
      signal => this.contexts.create({ workspaceId, plugin, connection, signal }),
      async ({ hub }) => plugin.lifecycle?.check?.(hub, this.toInfo(plugin, connection)),
    );
  }

  private toInfo(
    plugin: ConnectablePlugin,
    connection: Connection,
    webhookSecrets = this.vault.openWebhookSecrets(connection),
  ) {
    return toConnectionInfo(connection, plugin.manifest, webhookSecrets, this.env.publicUrl);
  }

  private async call<T>(
    timeoutMs: number,
    createContext: (signal: AbortSignal) => HubContextHandle,
    work: (context: HubContextHandle) => Promise<T>,
  ): Promise<T> {
    const controller = new AbortController();
    const { signal } = controller;
    const timer = setTimeout(() => controller.abort(new Error(`took longer than ${timeoutMs} ms`)), timeoutMs);
    let context: HubContextHandle | undefined;
    try {
      context = createContext(signal);
      return await withTimeout(timeoutMs + ABORT_GRACE_MS, work(context), 'the plugin');
    } catch (error) {
      const message = signal.aborted ? `There was no response within ${timeoutMs} ms.` : toMessage(error);
      throw new LifecycleError(
        truncateMessage(context?.redact(message) ?? message),
        signal.aborted || isUnreachable(error),
        !signal.aborted && (isPermanentError(error) || isReconnectRequired(error)),
        isReconnectRequired(error) ? { cause: error } : {},
      );
    } finally {
      clearTimeout(timer);
      controller.abort(new Error('the call has ended'));
    }
  }
}

function toOptions(returned: unknown): ConnectionOption[] {
  const items: readonly unknown[] = Array.isArray(returned) ? returned : [undefined];
  return items.map(item => {
    const { value, label, description } = (item ?? {}) as Partial<ConnectionOption>;
    const isValue = typeof value === 'string' || Number.isFinite(value);
    if (!isValue || typeof label !== 'string')
      throw new Error('The plugin returned no list of options with "value" and "label".');
    return { value: value!, label, ...(typeof description === 'string' && { description }) };
  });
}

function toMessage(error: unknown): string {
  if (error instanceof HubError) return error.detail ?? error.code;
  return String((error as { message?: unknown } | undefined)?.message ?? error);
}

function truncateMessage(text: string): string {
  return text.length > MAX_MESSAGE_LENGTH ? `${text.slice(0, MAX_MESSAGE_LENGTH)}…` : text;
}
