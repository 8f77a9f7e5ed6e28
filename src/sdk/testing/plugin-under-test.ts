import type { Json, JsonObject } from '../json.js';
import type { PluginManifest } from '../manifest.js';
import type { PluginModule } from './plugin-container.js';
import type { RouteCallOptions } from './call-route.js';
import { testHub, type TestHub } from './test-hub.js';
import type { TestHubOptions } from './test-environment.js';
import type { SentRequest, TestReply } from './provider-traffic.js';

/**
 * A provider that a plugin's author plays, new for each check.
 * @example { answer: ({ url }) => (url.pathname === '/v2/me' ? { status: 200, body: {} } : undefined) }
 */
export interface FakeProvider {
  /** What a request gets; undefined makes it fail as unexpected. */
  answer(request: SentRequest): TestReply | undefined;
  /** How many subscriptions stand, so that connecting twice can be seen to make one. */
  subscriptions?(): number;
}

/**
 * An example of everything that a manifest declares. The package exports them as `./fixtures`, default.
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
  /** Those that `provider` accepts. Default: `test-<field>` for each field. */
  readonly credentials?: JsonObject;
  readonly settings?: JsonObject;
  /** What the plugin has kept in its store before, by key. */
  readonly store?: Readonly<Record<string, Json>>;
  /** The provider; without it the plugin must not send requests. */
  readonly provider?: () => FakeProvider;
  /** A payload for each webhook. */
  readonly inbound?: Readonly<Record<string, Json>>;
  /** A payload for each event that the plugin consumes. */
  readonly events?: Readonly<Record<string, JsonObject>>;
  /** Data for each job; null for those that run by themselves. */
  readonly jobs?: Readonly<Record<string, Json>>;
  /** Arguments for each tool. */
  readonly tools?: Readonly<Record<string, JsonObject>>;
  /** A call for each route. */
  readonly routes?: Readonly<Record<string, RouteCallOptions>>;
  /** The tools need not begin with the plugin's id; only for plugins that come with the hub. */
  readonly freeToolNames?: boolean;
}

/**
 * One thing that a plugin must do.
 * @example it(check.name, check.run)
 */
export interface ConformanceCheck {
  readonly name: string;
  /** Resolves when the plugin does it. @throws Error with the mend */
  readonly run: () => Promise<void>;
}

/** What is checked. */
export interface PluginUnderTest {
  readonly plugin: PluginModule;
  readonly manifest: PluginManifest;
  readonly fixtures: Fixtures;
}

/** Opens the plugin with its provider for the length of `work`. */
export async function withTestHub<Answer>(
  { plugin, manifest, fixtures }: PluginUnderTest,
  work: (hub: TestHub, provider: FakeProvider | undefined) => Promise<Answer>,
  options: TestHubOptions = {},
): Promise<Answer> {
  const { credentials, settings } = fixtures;
  const given = { ...(credentials && { credentials }), ...(settings && { settings }), ...options };
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

/** @throws Error that joins the faults into one message; nothing when there is none */
export function assertNoFaults(faults: readonly string[]): void {
  if (faults.length > 0) throw new Error(faults.join('\n'));
}
