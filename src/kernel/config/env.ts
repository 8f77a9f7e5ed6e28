import { resolve } from 'node:path';
import { z } from 'zod';
import type { Plan } from '#domain/plans/tiers.js';
import { type AllowlistEntries, parseEgressAllowlist } from '../egress/egress-rules.js';
import type { EmbedderOptions } from '#kernel/llm/embedder.js';
import type { LlmOptions } from '#kernel/llm/llm.client.js';
import { parseQuotas, type QuotaLimits } from '#kernel/quotas/quota-limits.js';
import { FILE_STORAGES, type FileStorageName } from '#kernel/files/chunk-storage.js';
import { InvalidConfigError } from './config-errors.js';
import { oidcVariables, type OidcSettings, toOidcSettings } from './oidc-settings.js';
import { parseTrustedProxies, type TrustedProxies } from './trust-proxy.js';
import { type RegisteredClient, parseOAuthClients } from './oauth-clients.js';
import { readMaxFileMb, readRateLimits } from './numbers-by-plan.js';
import { readSecretFiles } from './secret-files.js';
import { parseSecretKeys, type SecretKey } from '../secrets/secret-box.js';

/** Returns the schema of a whole number between two bounds, both included. */
const wholeNumber = (min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`;
  return z.coerce.number({ error }).int({ error }).min(min, { error }).max(max, { error });
};
const port = wholeNumber(0, 65_535);
const postgresUrl = z.string().regex(/^postgres(ql)?:\/\//, 'must start with postgres://');
const redisUrl = z.string().regex(/^rediss?:\/\//, 'must start with redis:// or rediss://');

const PLUGIN_ISOLATIONS = ['none', 'process'] as const;

const envSchema = z.object({
  PORT: port.default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  PUBLIC_URL: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
  DATABASE_URL: postgresUrl.optional(),
  REDIS_URL: redisUrl.optional(),
  DATA_DIR: z.string().min(1).default('.rapport'),
  MIGRATIONS: z.enum(['apply', 'check']).default('apply'),
  ROLE: z.enum(['all', 'api', 'worker']).default('all'),
  METRICS_PORT: wholeNumber(1, 65_535).optional(),
  METRICS_TOKEN: z.string().min(16, 'must have at least 16 characters').optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  RATE_LIMITS: z.string().default('').transform(readRateLimits),
  QUOTAS: z.string().default('').transform(toZodTransform(parseQuotas)),
  PUBLIC_RATE_LIMIT: wholeNumber(0, 100_000).default(20),
  TRUST_PROXY: z.string().default('').transform(toZodTransform(parseTrustedProxies)),
  REQUEST_TIMEOUT_MS: wholeNumber(100, 600_000).default(10_000),
  SHUTDOWN_DELAY_MS: wholeNumber(0, 600_000).default(5_000),
  DATABASE_POOL_SIZE: wholeNumber(2, 500).default(10),
  DATABASE_PIPELINE: z.enum(['on', 'off']).default('on'),
  DATABASE_GENERIC_PLANS: z.enum(['on', 'off']).default('on'),
  SECRET_KEYS: z.string().optional().transform(toZodTransform(parseSecretKeys)),
  EGRESS_ALLOWLIST: z.string().default('').transform(toZodTransform(parseEgressAllowlist)),
  TRIGGERS_EGRESS_ALLOWLIST: z.string().default('').transform(toZodTransform(parseEgressAllowlist)),
  OAUTH_CLIENTS: z.string().default('').transform(toZodTransform(parseOAuthClients)),
  ...oidcVariables,
  NEW_WORKSPACES: z.enum(['admins', 'operator']).default('admins'),
  CALENDAR_API_URL: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
  EMBEDDINGS_URL: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
  EMBEDDINGS_MODEL: z.string().min(1).optional(),
  EMBEDDINGS_API_KEY: z.string().min(1).optional(),
  EMBEDDINGS_DIMENSIONS: wholeNumber(1, 16_000).optional(),
  LLM_URL: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
  LLM_MODEL: z.string().min(1).optional(),
  LLM_API_KEY: z.string().min(1).optional(),
  PLUGINS_DIR: z.string().min(1).default('plugins'),
  FILES: z.enum(FILE_STORAGES).optional(),
  FILES_SHARED: z.enum(['true', 'false']).default('false'),
  MAX_FILE_MB: z.string().default('').transform(readMaxFileMb),
  RAPPORT_PLUGINS: z.string().default('').transform(readPackageNames),
  PLUGIN_ISOLATION: z.enum(PLUGIN_ISOLATIONS).default('none'),
});

/** Where plugins run that are not bundled with the hub. */
export type PluginIsolation = (typeof PLUGIN_ISOLATIONS)[number];

/** Settings that may be kept in a file: `<NAME>_FILE` names it. */
export const SECRET_SETTINGS = [
  'DATABASE_URL',
  'REDIS_URL',
  'SECRET_KEYS',
  'OAUTH_CLIENTS',
  'OIDC_CLIENT_SECRET',
  'EMBEDDINGS_API_KEY',
  'LLM_API_KEY',
  'METRICS_TOKEN',
] as const satisfies readonly (keyof typeof envSchema.shape)[];

/** The settings of a process, read once and frozen. Each field corresponds to an environment variable. */
export interface Env {
  /** TCP port of the HTTP server; 0 picks a free one. Default 3000. */
  readonly port: number;
  /** Address that the HTTP server binds. Default 127.0.0.1. */
  readonly host: string;
  /** The public base address of this hub, without a trailing slash. Default `http://localhost:<port>`. */
  readonly publicUrl: string;
  /** URL of the PostgreSQL server; if absent, the embedded one in `dataDir` is used. */
  readonly databaseUrl: string | undefined;
  /** URL of Redis for the job queues; if absent, the queues live in PostgreSQL. */
  readonly redisUrl: string | undefined;
  /** Folder of the embedded database, absolute. Default `.rapport` in the working directory. */
  readonly dataDir: string;
  /** `apply` migrates at the start, `check` refuses to start on another schema. Default `apply`. */
  readonly migrations: 'apply' | 'check';
  /** `api` serves HTTP, `worker` runs jobs, `all` does both. */
  readonly role: 'all' | 'api' | 'worker';
  readonly logLevel: string;
  /** Port of a server of its own for metrics and readiness details; if absent, the main server has them. */
  readonly metricsPort: number | undefined;
  /** Bearer token for metrics and readiness details on the main port. */
  readonly metricsToken: string | undefined;
  /** Requests per second and workspace, by plan; 0 sets no limit. */
  readonly rateLimits: Readonly<Record<Plan, number>>;
  /** Quotas by plan; 0 means no limit. */
  readonly quotas: QuotaLimits;
  /** Requests per second and network without a valid API key; 0 sets no limit. Default 20. */
  readonly publicRateLimit: number;
  /** Proxies whose `X-Forwarded-For` gives the client's address; false trusts none. Default false. */
  readonly trustProxy: TrustedProxies;
  /** Time limit of a request in milliseconds, including the wait for the database. Default 10 000. */
  readonly requestTimeoutMs: number;
  /** How long the port stays open after SIGTERM, in milliseconds. Default 5000. */
  readonly shutdownDelayMs: number;
  /** Maximum number of PostgreSQL connections of this process. Default 10. */
  readonly databasePoolSize: number;
  /** Whether independent statements of a transaction share a round trip. Default true. */
  readonly databasePipeline: boolean;
  /** Whether transactions of the hot paths use one plan for all values. Default true. */
  readonly databaseGenericPlans: boolean;
  /** Endpoint for embeddings of notes; if absent, search is lexical. */
  readonly embeddings: EmbedderOptions | undefined;
  /**
   * Language model that extracts observations from open text and writes summaries; if absent, both features are off.
   */
  readonly llm: LlmOptions | undefined;
  /** Keys that encrypt credentials; the first one encrypts, all decrypt. If absent, see `openSecretBox`. */
  readonly secretKeys: readonly SecretKey[] | undefined;
  /** Destinations that plugins other than triggers may call in addition to public addresses. */
  readonly egressAllowlist: AllowlistEntries;
  /** Destinations that triggers may call in addition to public addresses. */
  readonly triggersEgressAllowlist: AllowlistEntries;
  /** Clients of this hub at providers with OAuth 2.0, by plugin. */
  readonly oauthClients: ReadonlyMap<string, RegisteredClient>;
  /** OpenID Connect provider at which people sign in; if absent, they use passwords and passkeys. */
  readonly oidc: OidcSettings | undefined;
  /** Who creates workspaces: people who are owner or admin of one, or the operator alone. Default `admins`. */
  readonly newWorkspaces: 'admins' | 'operator';
  /** Base address of the calendar provider, if it is not the provider's public one. */
  readonly calendarApiUrl: string | undefined;
  /** Where new files of plugins are stored. Default: `disk` with the role `all`, else `postgres`. */
  readonly files: FileStorageName;
  /** Largest file in megabytes, by plan; 0 sets no limit. */
  readonly maxFileMb: Readonly<Record<Plan, number>>;
  /** Folder whose subfolders are searched for plugins, absolute. Default `plugins` in the working directory. */
  readonly pluginsDir: string;
  /** Names of npm packages that are plugins, resolved from the working directory. Default empty. */
  readonly pluginPackages: readonly string[];
  /** Where plugins run that are not bundled: in the process of the hub, or each in one of its own. Default `none`. */
  readonly pluginIsolation: PluginIsolation;
}

/**
 * Returns the embedder of the settings; undefined if EMBEDDINGS_URL is not set.
 * @throws InvalidConfigError if EMBEDDINGS_MODEL is missing.
 */
function toEmbedderOptions(e: z.output<typeof envSchema>): EmbedderOptions | undefined {
  if (e.EMBEDDINGS_URL === undefined) return undefined;
  if (e.EMBEDDINGS_MODEL === undefined)
    throw new InvalidConfigError('EMBEDDINGS_MODEL: must name a model, as EMBEDDINGS_URL is set');
  return {
    url: e.EMBEDDINGS_URL,
    model: e.EMBEDDINGS_MODEL,
    apiKey: e.EMBEDDINGS_API_KEY,
    dimensions: e.EMBEDDINGS_DIMENSIONS,
  };
}

/**
 * Returns the language model of the settings; undefined if LLM_URL is not set.
 * @throws InvalidConfigError if LLM_MODEL is missing.
 */
function toLlmOptions({ LLM_URL: url, LLM_MODEL: model, LLM_API_KEY: apiKey }: z.output<typeof envSchema>) {
  if (url === undefined) return undefined;
  if (model === undefined) throw new InvalidConfigError('LLM_MODEL: must name a model, as LLM_URL is set');
  return { url, model, apiKey };
}

/** Returns the provider of single sign-on. @throws InvalidConfigError if a variable of it is missing. */
function readOidcSettings(variables: z.output<typeof envSchema>): OidcSettings | undefined {
  const found = toOidcSettings(variables);
  if (typeof found === 'string') throw new InvalidConfigError(found);
  return found;
}

/**
 * Returns the storage of files.
 * @throws InvalidConfigError if the processes of a hub would each store files on a disk of their own.
 */
function toFileStorage({ FILES, FILES_SHARED, ROLE }: z.output<typeof envSchema>): FileStorageName {
  if (FILES === 'disk' && ROLE !== 'all' && FILES_SHARED !== 'true') {
    throw new InvalidConfigError(
      `FILES: with ROLE=${ROLE}, other processes could not read files on the disk of this one. Set FILES=postgres, ` +
        'or FILES_SHARED=true if DATA_DIR is on a disk that all processes share',
    );
  }
  return FILES ?? (ROLE === 'all' ? 'disk' : 'postgres');
}

/**
 * Reads the settings from the environment, and those of {@link SECRET_SETTINGS} also from files. Empty values count as
 * absent.
 * @throws InvalidConfigError with one sentence for each invalid setting.
 */
export function readEnv(environment: NodeJS.ProcessEnv): Env {
  const present = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = envSchema.safeParse({ ...present, ...readSecretFiles(present, SECRET_SETTINGS) });
  if (!parsed.success) {
    throw new InvalidConfigError(parsed.error.issues.map(i => `${i.path.join('.')}: ${i.message}`).join('\n'));
  }
  const e = parsed.data;
  return Object.freeze({
    port: e.PORT,
    host: e.HOST,
    publicUrl: (e.PUBLIC_URL ?? `http://localhost:${e.PORT}`).replace(/(?<!\/)\/+$/, ''),
    databaseUrl: e.DATABASE_URL,
    redisUrl: e.REDIS_URL,
    dataDir: resolve(e.DATA_DIR),
    migrations: e.MIGRATIONS,
    role: e.ROLE,
    logLevel: e.LOG_LEVEL,
    metricsPort: e.METRICS_PORT,
    metricsToken: e.METRICS_TOKEN,
    rateLimits: e.RATE_LIMITS,
    quotas: e.QUOTAS,
    publicRateLimit: e.PUBLIC_RATE_LIMIT,
    trustProxy: e.TRUST_PROXY.proxies,
    requestTimeoutMs: e.REQUEST_TIMEOUT_MS,
    shutdownDelayMs: e.SHUTDOWN_DELAY_MS,
    databasePoolSize: e.DATABASE_POOL_SIZE,
    databasePipeline: e.DATABASE_PIPELINE === 'on',
    databaseGenericPlans: e.DATABASE_GENERIC_PLANS === 'on',
    embeddings: toEmbedderOptions(e),
    llm: toLlmOptions(e),
    secretKeys: e.SECRET_KEYS,
    egressAllowlist: e.EGRESS_ALLOWLIST,
    triggersEgressAllowlist: e.TRIGGERS_EGRESS_ALLOWLIST,
    oauthClients: e.OAUTH_CLIENTS,
    oidc: readOidcSettings(e),
    newWorkspaces: e.NEW_WORKSPACES,
    calendarApiUrl: e.CALENDAR_API_URL?.replace(/(?<!\/)\/+$/, ''),
    files: toFileStorage(e),
    maxFileMb: e.MAX_FILE_MB,
    pluginsDir: resolve(e.PLUGINS_DIR),
    pluginPackages: e.RAPPORT_PLUGINS,
    pluginIsolation: e.PLUGIN_ISOLATION,
  });
}

/** Adapts a parser, which returns a value or an error message, to a Zod transform. */
function toZodTransform<T extends object, Text extends string | undefined>(read: (text: string) => T | string) {
  return (text: Text, context: z.RefinementCtx): T | Extract<Text, undefined> => {
    const found = text === undefined ? undefined : read(text);
    if (typeof found === 'string') {
      context.addIssue(found);
      return z.NEVER;
    }
    return found as T | Extract<Text, undefined>;
  };
}

/** Parses a list such as `acme-dialer, @acme/notes`. */
function readPackageNames(text: string, context: z.RefinementCtx): string[] {
  const names = text
    .split(',')
    .map(name => name.trim())
    .filter(name => name !== '');
  const invalid = names.find(name => !/^(?:@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*$/.test(name));
  if (invalid === undefined) return [...new Set(names)];
  context.addIssue(`"${invalid}" is not the name of an npm package; list names, separated by commas`);
  return z.NEVER;
}
