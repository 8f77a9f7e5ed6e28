import { Inject, Injectable, Logger } from '@nestjs/common';
import type { EventsPort, HubContext, JobsPort, LogPort, StorePort } from '#sdk/hub-context.js';
import { PermanentError } from '#sdk/errors.js';
import { HttpRules } from '#sdk/http-rules.js';
import type { JsonObject } from '#sdk/schema.js';
import type { PluginManifest } from '#sdk/manifest/manifest.js';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { FileStore } from '#kernel/files/file-store.js';
import { type Redactor, createGrowingRedactor, redactDeep } from '#kernel/egress/redactor.js';
import type { Connection } from '../connections/connection.js';
import { pickDeclared, validateFields, listSecretFields } from '../connections/connection-schema.js';
import { ConnectionVault } from '../connections/connection-vault.js';
import { listWebhookSecrets } from '../connections/connection-urls.service.js';
import type { AccessTokens } from '../oauth2/access-tokens.js';
import { ConnectionTokensService } from '../oauth2/connection-tokens.service.js';
import { PluginStore } from '../store/plugin-store.js';
import { requireValid } from '../schema-validation.js';
import {
  createRunsPort,
  createFilesPort,
  GraphPortFactory,
  type PluginScope,
  unavailableFiles,
  unavailableGraph,
  unavailableJobs,
  unavailableRuns,
  unavailableStore,
} from './plugin-ports.js';
import type { StepEffects } from '../runs/run.js';
import { RunStore } from '../runs/run.store.js';
import { attachRedactor } from '../container/current-plugin.js';
import { computeDedupeKey, JobEmitter } from '../jobs/job.emitter.js';
import { ProviderLimits } from './provider-limits.js';
import { PluginEgressClients, createHubHttp } from './plugin-http.js';

/** Identifies one delivery to one plugin, for which a hub context is created. */
export interface ContextOptions {
  readonly workspaceId: string;
  readonly plugin: { readonly manifest: PluginManifest };
  /** Null for a plugin without a connection. */
  readonly connection: Connection | null;
  readonly signal: AbortSignal;
  /** Collects jobs and events instead of writing them at once. */
  readonly effects?: StepEffects | undefined;
}

/** Credentials and settings that are tested before they are saved. */
export interface ConnectionTest extends Omit<ContextOptions, 'connection'> {
  readonly credentials: Readonly<Record<string, unknown>>;
  /** As the user sent them, without defaults. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** The connection that is connected again; without it the graph, jobs and store are unavailable. */
  readonly connection?: Connection;
  /** How requests with `auth: 'connection'` are authenticated; undefined with pasted credentials. */
  readonly tokens?: AccessTokens | undefined;
  /** Secrets to redact besides those in the credentials. */
  readonly secrets?: readonly string[];
}

/** The hub context of one delivery, with a redactor for the secrets of its connection. */
export interface HubContextHandle {
  readonly hub: HubContext;
  readonly redact: Redactor;
}

const MAX_JOB_BYTES = 256 * 1024;

/** Creates the hub context that plugin handlers receive: for one workspace, one connection and one delivery. */
@Injectable()
export class HubContextFactory {
  constructor(
    private readonly work: UnitOfWork,
    private readonly egress: PluginEgressClients,
    private readonly store: PluginStore,
    private readonly vault: ConnectionVault,
    private readonly tokens: ConnectionTokensService,
    private readonly limits: ProviderLimits,
    private readonly graphPorts: GraphPortFactory,
    private readonly jobs: JobEmitter,
    private readonly files: FileStore,
    private readonly runs: RunStore,
    @Inject(ENV) private readonly env: Env,
  ) {}

  /** Creates the hub context of a delivery. @throws UnsealError when the credentials cannot be decrypted */
  createHub(options: ContextOptions): HubContext {
    return this.create(options).hub;
  }

  /** Creates the hub context with the redactor for errors and logs of the delivery. @throws UnsealError */
  create({ connection, ...rest }: ContextOptions): HubContextHandle {
    const credentials = connection ? this.vault.openCredentials(connection) : {};
    const connectionOptions = connection
      ? {
          connection,
          secrets: listWebhookSecrets(this.vault.openWebhookSecrets(connection)),
          tokens: this.tokens.open(connection, rest.plugin.manifest),
        }
      : {};
    return this.assemble({ ...rest, credentials, settings: connection?.settings ?? {}, ...connectionOptions });
  }

  /** Creates the hub context for testing or making a connection with credentials that are not saved yet. */
  createForTest(test: ConnectionTest): HubContextHandle {
    return this.assemble({ ...test, untested: test.connection === undefined });
  }

  private assemble(test: ConnectionTest & { untested?: boolean }): HubContextHandle {
    const { workspaceId, plugin, connection, credentials, signal, secrets = [], untested = false, effects } = test;
    const { tokens } = test;
    const { manifest } = plugin;
    const scope: PluginScope = { workspaceId, plugin: manifest.id, connectionId: connection?.id ?? null };
    const redact = createGrowingRedactor([...secrets, ...collectSecrets(manifest, credentials)], () =>
      tokens ? tokens.secrets() : [],
    );
    const settings = this.resolveSettings(manifest, test.settings);
    const rules = new HttpRules(manifest, { settings, credentials });
    const limits = this.limits.open(manifest, connection?.id ?? workspaceId);
    const hub: HubContext = {
      graph: untested ? unavailableGraph : this.graphPorts.create(scope),
      jobs: untested ? unavailableJobs : this.createJobsPort(scope, manifest, effects),
      runs: untested ? unavailableRuns : createRunsPort(this.runs, scope, manifest),
      events: createEventsPort(this.work, scope, manifest, effects),
      store: untested ? unavailableStore : this.createStorePort(scope),
      files: untested ? unavailableFiles : createFilesPort(this.files, scope),
      credentials: freezeValues(credentials),
      settings: freezeValues(settings),
      http: createHubHttp({ client: this.egress.clientFor(manifest.id), redact, signal, rules, tokens, limits }),
      clock: { now: () => new Date() },
      log: createLogPort(scope, redact),
      signal,
    };
    attachRedactor(hub, redact);
    return { hub: Object.freeze(hub), redact };
  }

  /** Merges operator settings, saved settings and defaults. Drops settings that the manifest does not declare. */
  private resolveSettings(manifest: PluginManifest, saved: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const merged = { ...getOperatorSettings(this.env, manifest.id), ...saved };
    const settings = pickDeclared(manifest.settings, merged);
    const validation = validateFields('settings', manifest.settings, settings);
    return validation.ok ? validation.values : settings;
  }

  private createJobsPort(scope: PluginScope, manifest: PluginManifest, effects?: StepEffects): JobsPort {
    return {
      emit: async (name, data, options = {}) => {
        if (!manifest.jobs?.[name]) throw new PermanentError(`The manifest of "${manifest.id}" has no job "${name}".`);
        requireValid(`The data of the job "${name}"`, manifest.jobs[name].data, data ?? null);
        if (Buffer.byteLength(JSON.stringify(data ?? null)) > MAX_JOB_BYTES) {
          throw new PermanentError('The data of a job may have at most 256 kB as JSON.');
        }
        const { key, delayMs = 0, wake = false } = options;
        const { workspaceId, plugin, connectionId } = scope;
        const deduplication = key === undefined ? {} : { dedupeKey: computeDedupeKey(connectionId, name, key), wake };
        const job = {
          plugin,
          kind: 'job',
          name,
          payload: data ?? null,
          connectionId,
          delayMs,
          ...deduplication,
        } as const;
        if (effects) effects.jobs.push(job);
        else await this.jobs.emit(workspaceId, [job]);
      },
    };
  }

  private createStorePort(scope: PluginScope): StorePort {
    return {
      get: key => this.store.get(scope, key) as Promise<never>,
      getMany: keys => this.store.getMany(scope, keys) as Promise<never>,
      put: async (key, value, options) => void (await this.store.write(scope, [{ ...options, key, value }])),
      delete: async key => void (await this.store.write(scope, [{ key }])),
      list: (prefix, options) => this.store.list(scope, prefix, options) as Promise<never>,
      write: (changes, act) => this.store.write(scope, changes, act),
    };
  }
}

/** Returns all strings in the fields that the manifest declares secret, including those nested in objects. */
function collectSecrets(manifest: PluginManifest, credentials: Readonly<Record<string, unknown>>): string[] {
  return listSecretFields(manifest.credentials).flatMap(field => collectTexts(credentials[field]));
}

function collectTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(collectTexts) : [];
}

function freezeValues(values: Readonly<Record<string, unknown>>): JsonObject {
  return Object.freeze({ ...values }) as JsonObject;
}

/**
 * Returns the settings that the operator sets for all connections of a plugin. Settings of a connection override them.
 */
function getOperatorSettings(env: Env, plugin: string): Readonly<Record<string, unknown>> {
  return plugin === 'calcom' && env.calendarApiUrl !== undefined ? { api_url: env.calendarApiUrl } : {};
}

/** Creates the port that writes events of a plugin to the outbox, after validation against its manifest. */
function createEventsPort(
  work: UnitOfWork,
  { workspaceId }: PluginScope,
  manifest: PluginManifest,
  effects?: StepEffects,
): EventsPort {
  return {
    async emit(type, payload) {
      const schema = manifest.emits?.[type];
      if (!schema) throw new PermanentError(`The manifest of "${manifest.id}" emits no "${type}".`);
      requireValid(`The payload of "${type}"`, schema, payload);
      if (effects) effects.events.push({ type, payload });
      else await work.run(workspaceId, async tx => tx.emit({ type, payload }));
    },
  };
}

/** Creates the port that writes a plugin's log lines with its ID and without the secrets of its connection. */
function createLogPort(scope: PluginScope, redact: Redactor): LogPort {
  const log = new Logger(`plugin ${scope.plugin}`);
  const line = (message: string, details: Readonly<Record<string, unknown>> = {}) => ({
    plugin: scope.plugin,
    workspace_id: scope.workspaceId,
    connection_id: scope.connectionId,
    msg: redact(String(message)),
    details: redactDeep(redact, details),
  });
  return {
    debug: (message, details) => log.debug(line(message, details)),
    info: (message, details) => log.log(line(message, details)),
    warn: (message, details) => log.warn(line(message, details)),
    error: (message, details) => log.error(line(message, details)),
  };
}
