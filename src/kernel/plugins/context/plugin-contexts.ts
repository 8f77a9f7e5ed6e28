import { Inject, Injectable } from '@nestjs/common';
import type { HubContext, JobsPort, StorePort } from '#sdk/hub-context.js';
import { PermanentError } from '#sdk/errors.js';
import type { JsonObject } from '#sdk/json.js';
import type { PluginManifest } from '#sdk/manifest.js';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { type Redactor, redactorOf } from '#kernel/egress/redactor.js';
import type { Connection } from '../connections/connection.js';
import { fieldsOf, fit, secretFields } from '../connections/connection-schema.js';
import { ConnectionVault } from '../connections/connection-vault.js';
import { secretsOfHook } from '../connections/inbound-addresses.js';
import { PluginStore } from '../store/plugin-store.js';
import { knowSecretsOf } from '../cell/hub-secrets.js';
import { operatorSettings } from './operator-settings.js';
import { PluginEgress } from './plugin-egress.js';
import { pluginEvents } from './plugin-events.js';
import { pluginHttp } from './plugin-http.js';
import { pluginLog } from './plugin-log.js';
import { GraphPorts, PluginJobs, type PluginScope } from './plugin-ports.js';
import { noGraph, noJobs, noStore } from './refusing-ports.js';

/** For what a context is made: one delivery to one plugin. */
export interface ContextWish {
  readonly workspaceId: string;
  readonly plugin: { readonly manifest: PluginManifest };
  /** Null for a plugin without one. */
  readonly connection: Connection | null;
  readonly signal: AbortSignal;
}

/** What is tried out before anything is saved. */
export interface Trial extends Omit<ContextWish, 'connection'> {
  readonly credentials: Readonly<Record<string, unknown>>;
  /** As they were given, defaults left out. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** The connection that is made anew; without it nothing can be kept. */
  readonly connection?: Connection;
  /** What no word of the plugin may hold besides the credentials. */
  readonly secrets?: readonly string[];
}

/** The hub for one delivery, with what takes the secrets of the connection out of a text. */
export interface MadeContext {
  readonly hub: HubContext;
  readonly redact: Redactor;
}

const LARGEST_JOB = 256 * 1024;

/** Makes the hub that a handler of a plugin is given: for one workspace, one connection and one delivery. */
@Injectable()
export class PluginContexts {
  constructor(
    private readonly work: UnitOfWork,
    private readonly egress: PluginEgress,
    private readonly store: PluginStore,
    private readonly vault: ConnectionVault,
    private readonly graphs: GraphPorts,
    private readonly jobs: PluginJobs,
    @Inject(ENV) private readonly env: Env,
  ) {}

  /** The hub of a delivery. @throws CannotOpen when the credentials cannot be opened */
  make(wish: ContextWish): HubContext {
    return this.made(wish).hub;
  }

  /** The same, with the redactor for what is told of the delivery. @throws CannotOpen */
  made({ connection, ...rest }: ContextWish): MadeContext {
    const credentials = connection ? this.vault.openCredentials(connection) : {};
    const more = connection ? { connection, secrets: secretsOfHook(this.vault.openHook(connection)) } : {};
    return this.assembled({ ...rest, credentials, settings: connection?.settings ?? {}, ...more });
  }

  /** The hub of a connection that is tested or made with credentials that are not saved. */
  onTrial(trial: Trial): MadeContext {
    return this.assembled({ ...trial, untested: trial.connection === undefined });
  }

  private assembled(trial: Trial & { untested?: boolean }): MadeContext {
    const { workspaceId, plugin, connection, credentials, signal, secrets = [], untested = false } = trial;
    const { manifest } = plugin;
    const scope: PluginScope = { workspaceId, plugin: manifest.id, connectionId: connection?.id ?? null };
    const redact = redactorOf([...secrets, ...secretsAmong(manifest, credentials)]);
    const hub: HubContext = Object.freeze({
      graph: untested ? noGraph : this.graphs.of(scope),
      jobs: untested ? noJobs : this.jobsOf(scope, manifest),
      events: pluginEvents(this.work, scope, manifest),
      store: untested ? noStore : this.storeOf(scope),
      credentials: frozen(credentials),
      settings: frozen(this.settingsOf(manifest, trial.settings)),
      http: pluginHttp({ client: this.egress.clientFor(manifest.id), redact, signal }),
      clock: { now: () => new Date() },
      log: pluginLog(scope, redact),
      signal,
    });
    knowSecretsOf(hub, redact);
    return { hub, redact };
  }

  /** Saved settings that a newer version of the plugin no longer knows are left out, so they cannot be in its way. */
  private settingsOf(manifest: PluginManifest, saved: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const known = fieldsOf(manifest.settings);
    const given = { ...operatorSettings(this.env, manifest.id), ...saved };
    const own = Object.fromEntries(Object.entries(given).filter(([name]) => known.includes(name)));
    const fitted = fit('settings', manifest.settings, own);
    return fitted.ok ? fitted.values : own;
  }

  private jobsOf(scope: PluginScope, manifest: PluginManifest): JobsPort {
    return {
      emit: async (name, data, options = {}) => {
        if (!manifest.jobs?.[name]) throw new PermanentError(`The manifest of "${manifest.id}" has no job "${name}".`);
        if (Buffer.byteLength(JSON.stringify(data ?? null)) > LARGEST_JOB) {
          throw new PermanentError('The data of a job may have 256 kB as JSON.');
        }
        await this.jobs.emit(scope, name, data ?? null, options);
      },
    };
  }

  private storeOf(scope: PluginScope): StorePort {
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
function secretsAmong(manifest: PluginManifest, credentials: Readonly<Record<string, unknown>>): string[] {
  return secretFields(manifest.credentials).flatMap(field => textsIn(credentials[field]));
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function frozen(values: Readonly<Record<string, unknown>>): JsonObject {
  return Object.freeze({ ...values }) as JsonObject;
}
