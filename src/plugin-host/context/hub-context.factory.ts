import { Inject, Injectable } from '@nestjs/common';
import type { HubContext, JobsPort, StorePort } from '#sdk/hub-context.js';
import { PermanentError } from '#sdk/errors.js';
import type { JsonObject } from '#sdk/json.js';
import type { PluginManifest } from '#sdk/manifest.js';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { type Redactor, createRedactor } from '#kernel/egress/redactor.js';
import type { Connection } from '../connections/connection.js';
import { listFieldNames, validateFields, listSecretFields } from '../connections/connection-schema.js';
import { ConnectionVault } from '../connections/connection-vault.js';
import { listWebhookSecrets } from '../connections/webhook-urls.js';
import { PluginStore } from '../store/plugin-store.js';
import { registerSecrets } from '../container/hub-secrets.js';
import { getOperatorSettings } from './operator-settings.js';
import { PluginEgressClients } from './plugin-egress.clients.js';
import { createEventsPort } from './plugin-events.js';
import { createHubHttp } from './plugin-http.js';
import { createLogPort } from './plugin-log.js';
import { GraphPortFactory, PluginJobsPort, type PluginScope } from './plugin-ports.js';
import { unavailableGraph, unavailableJobs, unavailableStore } from './unavailable-ports.js';

/** For what a context is made: one delivery to one plugin. */
export interface ContextOptions {
  readonly workspaceId: string;
  readonly plugin: { readonly manifest: PluginManifest };
  /** Null for a plugin without one. */
  readonly connection: Connection | null;
  readonly signal: AbortSignal;
}

/** What is tried out before anything is saved. */
export interface ConnectionTest extends Omit<ContextOptions, 'connection'> {
  readonly credentials: Readonly<Record<string, unknown>>;
  /** As they were given, defaults left out. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** The connection that is made anew; without it nothing can be kept. */
  readonly connection?: Connection;
  /** What no word of the plugin may hold besides the credentials. */
  readonly secrets?: readonly string[];
}

/** The hub for one delivery, with what takes the secrets of the connection out of a text. */
export interface HubContextHandle {
  readonly hub: HubContext;
  readonly redact: Redactor;
}

const MAX_JOB_BYTES = 256 * 1024;

/** Makes the hub that a handler of a plugin is given: for one workspace, one connection and one delivery. */
@Injectable()
export class HubContextFactory {
  constructor(
    private readonly work: UnitOfWork,
    private readonly egress: PluginEgressClients,
    private readonly store: PluginStore,
    private readonly vault: ConnectionVault,
    private readonly graphPorts: GraphPortFactory,
    private readonly jobs: PluginJobsPort,
    @Inject(ENV) private readonly env: Env,
  ) {}

  /** The hub of a delivery. @throws CannotOpen when the credentials cannot be opened */
  createHub(options: ContextOptions): HubContext {
    return this.create(options).hub;
  }

  /** The same, with the redactor for what is told of the delivery. @throws CannotOpen */
  create({ connection, ...rest }: ContextOptions): HubContextHandle {
    const credentials = connection ? this.vault.openCredentials(connection) : {};
    const connectionOptions = connection
      ? { connection, secrets: listWebhookSecrets(this.vault.openWebhookSecrets(connection)) }
      : {};
    return this.assemble({ ...rest, credentials, settings: connection?.settings ?? {}, ...connectionOptions });
  }

  /** The hub of a connection that is tested or made with credentials that are not saved. */
  createForTest(test: ConnectionTest): HubContextHandle {
    return this.assemble({ ...test, untested: test.connection === undefined });
  }

  private assemble(test: ConnectionTest & { untested?: boolean }): HubContextHandle {
    const { workspaceId, plugin, connection, credentials, signal, secrets = [], untested = false } = test;
    const { manifest } = plugin;
    const scope: PluginScope = { workspaceId, plugin: manifest.id, connectionId: connection?.id ?? null };
    const redact = createRedactor([...secrets, ...collectSecrets(manifest, credentials)]);
    const hub: HubContext = Object.freeze({
      graph: untested ? unavailableGraph : this.graphPorts.create(scope),
      jobs: untested ? unavailableJobs : this.createJobsPort(scope, manifest),
      events: createEventsPort(this.work, scope, manifest),
      store: untested ? unavailableStore : this.createStorePort(scope),
      credentials: freezeValues(credentials),
      settings: freezeValues(this.resolveSettings(manifest, test.settings)),
      http: createHubHttp({ client: this.egress.clientFor(manifest.id), redact, signal }),
      clock: { now: () => new Date() },
      log: createLogPort(scope, redact),
      signal,
    });
    registerSecrets(hub, redact);
    return { hub, redact };
  }

  /** Saved settings that a newer version of the plugin no longer knows are left out, so they cannot be in its way. */
  private resolveSettings(manifest: PluginManifest, saved: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const known = listFieldNames(manifest.settings);
    const given = { ...getOperatorSettings(this.env, manifest.id), ...saved };
    const own = Object.fromEntries(Object.entries(given).filter(([name]) => known.includes(name)));
    const fitted = validateFields('settings', manifest.settings, own);
    return fitted.ok ? fitted.values : own;
  }

  private createJobsPort(scope: PluginScope, manifest: PluginManifest): JobsPort {
    return {
      emit: async (name, data, options = {}) => {
        if (!manifest.jobs?.[name]) throw new PermanentError(`The manifest of "${manifest.id}" has no job "${name}".`);
        if (Buffer.byteLength(JSON.stringify(data ?? null)) > MAX_JOB_BYTES) {
          throw new PermanentError('The data of a job may have 256 kB as JSON.');
        }
        await this.jobs.emit(scope, name, data ?? null, options);
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
      write: changes => this.store.write(scope, changes),
    };
  }
}

/** Texts in the fields that the manifest calls secret; a structure in such a field is secret in all its parts. */
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
