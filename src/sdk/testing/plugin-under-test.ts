import type { Json, JsonObject } from '../schema.js';
import type { StoredValues } from '../lifecycle.js';
import type { PluginManifest } from '../manifest/manifest.js';
import type { PluginModule } from './plugin-container.js';
import type { RouteCallOptions } from './call-route.js';
import { testHub, type TestHub } from './test-hub.js';
import type { TestHubOptions } from './test-environment.js';
import type { SentRequest, TestReply } from './test-http.js';

/**
 * A fake provider, created for each check.
 * @example { answer: ({ url }) => (url.pathname === '/v2/me' ? { status: 200, body: {} } : undefined) }
 */
export interface FakeProvider {
  /** Returns the response to a request; undefined makes the request fail as unexpected. */
  answer(request: SentRequest): TestReply | undefined;
  /** Returns the number of active subscriptions, which shows that connecting twice creates only one. */
  subscriptions?(): number;
  /** Returns the number of pages of a list that were read; only for the provider of `Fixtures.paging`. */
  pagesRead?(): number;
}

/**
 * Examples of everything that a manifest declares. They are the default export of `./fixtures` of the plugin's package.
 * @example
 * ```ts
 * export default {
 *   provider: () => new FakeAcme(),
 *   inbound: { calls: { event: 'call.ended', call } },
 *   jobs: { backfill: { email: 'ada@acme.io' } },
 * } satisfies Fixtures;
 * ```
 */
export interface Fixtures {
  /** Credentials that `provider` accepts. Default: `test-<field>` for each field. */
  readonly credentials?: JsonObject;
  /** Connects by OAuth 2.0 with this access token, if the plugin can be connected either way. */
  readonly accessToken?: string;
  readonly settings?: JsonObject;
  /**
   * Values that older versions stored, one example of each form: `migrate` has to convert them. Needed if the plugin has
   * `migrate`.
   */
  readonly stored?: readonly StoredValues[];
  /** Initial entries of the store, by key. */
  readonly store?: Readonly<Record<string, Json>>;
  /** Creates the fake provider. Without it the plugin must not send requests. */
  readonly provider?: () => FakeProvider;
  /** A list of two pages, which the plugin has to read to its end. Default: not checked. */
  readonly paging?: {
    /** Creates a provider whose list has two pages, and whose `pagesRead` counts those that were read. */
    readonly provider: () => FakeProvider;
    /** Has the plugin read the list, such as with `hub => hub.run('sync', null)`. */
    readonly read: (hub: TestHub) => Promise<unknown>;
  };
  /** A payload for each webhook. */
  readonly inbound?: Readonly<Record<string, Json>>;
  /** A payload for each event that the plugin consumes. */
  readonly events?: Readonly<Record<string, JsonObject>>;
  /** Data for each job; null for periodic jobs. */
  readonly jobs?: Readonly<Record<string, Json>>;
  /** An input for each run, or a function that prepares one, for example by storing a file. */
  readonly runs?: Readonly<Record<string, Json | ((hub: TestHub) => Promise<Json>)>>;
  /** Arguments for each tool. */
  readonly tools?: Readonly<Record<string, JsonObject>>;
  /** A call for each route. */
  readonly routes?: Readonly<Record<string, RouteCallOptions>>;
  /** Allows tool names without the prefix of the plugin; only for bundled plugins. */
  readonly freeToolNames?: boolean;
}

/**
 * A check that a plugin must pass.
 * @example it(check.name, check.run)
 */
export interface ConformanceCheck {
  readonly name: string;
  /** Resolves if the check passes. @throws Error with a message that says how to fix the problem */
  readonly run: () => Promise<void>;
}

/** The plugin to check. */
export interface PluginUnderTest {
  readonly plugin: PluginModule;
  readonly manifest: PluginManifest;
  readonly fixtures: Fixtures;
}

/** Starts the plugin with its provider, runs `work`, and closes it. */
export async function withTestHub<Answer>(
  { plugin, manifest, fixtures }: PluginUnderTest,
  work: (hub: TestHub, provider: FakeProvider | undefined) => Promise<Answer>,
  options: TestHubOptions = {},
): Promise<Answer> {
  const { credentials, settings, accessToken } = fixtures;
  const signIn = accessToken === undefined ? {} : { accessToken };
  const given = { ...signIn, ...(credentials && { credentials }), ...(settings && { settings }), ...options };
  const hub = await testHub(plugin, manifest, given);
  await hub.store.write(Object.entries(fixtures.store ?? {}).map(([key, value]) => ({ key, value })));
  const provider = fixtures.provider?.();
  if (provider) hub.http.serve(request => provider.answer(request));
  try {
    return await work(hub, provider);
  } finally {
    await hub.close();
  }
}

/** Throws an error that joins the faults into one message if there is at least one. */
export function assertNoFaults(faults: readonly string[]): void {
  if (faults.length > 0) throw new Error(faults.join('\n'));
}
