import { isDeepStrictEqual } from 'node:util';
import { isPermanentError } from '../../errors.js';
import {
  type Fixtures,
  type ConformanceCheck,
  withTestHub,
  type PluginUnderTest,
  assertNoFaults,
} from '../plugin-under-test.js';
import type { PluginManifest } from '../../manifest/manifest.js';
import type { TestHub } from '../test-hub.js';
import type { TestReply } from '../test-http.js';

/** Something that can happen to a plugin. */
export interface LifecycleScenario {
  readonly kind: 'webhook' | 'event' | 'job' | 'tool' | 'route';
  readonly name: string;
  /** Lets it happen and gives what came back; undefined when the fixtures have no example. */
  readonly go: ((hub: TestHub) => Promise<unknown>) | undefined;
  /** How the sentence that asks for an example begins. */
  readonly missing: string;
}

/** Everything that the manifest lets happen. */
export function listScenarios(manifest: PluginManifest, fixtures: Fixtures): LifecycleScenario[] {
  const { inbound = {}, events = {}, jobs = {}, tools = {}, routes = {} } = fixtures;
  const round = (
    kind: LifecycleScenario['kind'],
    field: string,
    names: readonly string[],
    examples: object,
    go: (hub: TestHub, name: string) => Promise<unknown>,
  ): LifecycleScenario[] =>
    names.map(name => ({
      kind,
      name,
      go: name in examples ? hub => go(hub, name) : undefined,
      missing: `fixtures.${field}[${JSON.stringify(name)}] is missing: give an example of the ${kind} "${name}".`,
    }));
  return [
    ...round('webhook', 'inbound', Object.keys(manifest.inbound ?? {}), inbound, (hub, name) =>
      hub.inbound(name, inbound[name]!),
    ),
    ...round('event', 'events', manifest.consumes ?? [], events, (hub, name) => hub.event(name, events[name]!)),
    ...round('job', 'jobs', Object.keys(manifest.jobs ?? {}), jobs, (hub, name) => hub.job(name, jobs[name])),
    ...round('tool', 'tools', Object.keys(manifest.tools ?? {}), tools, (hub, name) => hub.call(name, tools[name])),
    ...round('route', 'routes', Object.keys(manifest.routes ?? {}), routes, (hub, name) =>
      hub.route(name, routes[name]),
    ),
  ];
}

const NO_PROVIDER =
  'fixtures.provider is missing: fake the provider there, as in provider: () => ({ answer: request => ({ status: 200 }) }).';
const SAFE_METHODS = new Set(['GET', 'HEAD']);

/** Returns the checks of connecting and disconnecting; none for a plugin that needs no lifecycle. */
export function connectionChecks(subject: PluginUnderTest): ConformanceCheck[] {
  const needsProvider = Boolean(subject.manifest.credentials ?? subject.manifest.oauth2);
  if (!needsProvider && !subject.manifest.inbound) return [];
  const check = (name: string, work: Parameters<typeof withTestHub<void>>[1]): ConformanceCheck => ({
    name,
    run: () => {
      const { provider } = subject.fixtures;
      if (!provider && needsProvider) return Promise.reject(new Error(NO_PROVIDER));
      return withTestHub(subject, work);
    },
  });
  return [
    check('test accepts good credentials and changes nothing', async hub => {
      const { outcome, message } = await hub.test();
      if (outcome !== 'ok')
        throw new Error(`test returned ${outcome} (${message}): let fixtures.provider accept the credentials.`);
      const writing = hub.http.sent.find(({ method }) => !SAFE_METHODS.has(method));
      if (writing) throw new Error(`test sent ${writing.method} ${writing.url.pathname}: it may only read.`);
    }),
    check('test tells bad credentials from a provider that is away', async hub => {
      await expectOutcome(hub, { status: 401 }, 'bad_credentials');
      await expectOutcome(hub, { status: 403 }, 'forbidden');
      await expectOutcome(hub, { status: 503, body: '<html>' }, 'unreachable');
      await expectOutcome(hub, { status: 0, unreachable: 'No connection.' }, 'unreachable');
    }),
    check('connect can be repeated', async (hub, provider) => {
      await hub.connect();
      const [store, active] = [hub.store.entries(), provider?.subscriptions?.()];
      await hub.connect();
      if (!isDeepStrictEqual(hub.store.entries(), store)) {
        throw new Error('A second connect changed the store: look for what the first one has made before making it.');
      }
      if (provider?.subscriptions?.() !== active) {
        throw new Error(
          `After a second connect ${provider?.subscriptions?.()} subscriptions stand, after the first ${active}.`,
        );
      }
    }),
    check('disconnect takes away what connect has made', async (hub, provider) => {
      const before = provider?.subscriptions?.();
      await hub.connect();
      await hub.disconnect();
      const after = provider?.subscriptions?.();
      if (after !== before) throw new Error(`After disconnect ${after} subscriptions stand, before connect ${before}.`);
    }),
    ...versionChecks(subject),
    check('disconnect takes a 404 as success, and nothing else', async hub => {
      await hub.connect();
      const sentBefore = hub.http.sent.length;
      hub.http.serve(() => ({ status: 500 }));
      const succeeded = await isSuccessful(() => hub.disconnect());
      const hasSent = hub.http.sent.length > sentBefore;
      if (hasSent && succeeded)
        throw new Error('disconnect hid that the provider returned 500: throw, so that it is retried.');
      hub.http.serve(() => ({ status: 404 }));
      await hub.disconnect().catch((error: Error) => {
        throw new Error(`disconnect failed on a 404 (${error.message}): what the provider does not know is gone.`);
      });
    }),
  ];
}

/** Returns a check for each form in which an older version stored settings and credentials. */
function versionChecks(subject: PluginUnderTest): ConformanceCheck[] {
  const { stored } = subject.fixtures;
  if (!stored) {
    const name = 'values of an older version are converted';
    return [{ name, run: () => withTestHub(subject, async hub => requireStoredFixtures(hub)) }];
  }
  return stored.map(values => ({
    name: `values of version ${values.version} are converted, each time to the same`,
    run: () =>
      withTestHub(subject, async hub => {
        const [once, twice] = [await hub.migrate(values), await hub.migrate(values)];
        if (!isDeepStrictEqual(once, twice))
          throw new Error('migrate returned something else the second time: processes can call it at the same time.');
        if (hub.http.sent.length > 0) throw new Error('migrate sent a request: it may only convert the values.');
      }),
  }));
}

function requireStoredFixtures(hub: TestHub): void {
  const hasMigrate = hub.handlers.lifecycles.some(({ instance }) => typeof instance['migrate'] === 'function');
  if (!hasMigrate) return;
  throw new Error('fixtures.stored is missing: give an example of what each older version stored, for migrate.');
}

async function expectOutcome(hub: TestHub, reply: TestReply, expected: string): Promise<void> {
  const before = hub.http.sent.length;
  hub.http.serve(() => reply);
  // The hub takes a permanent error of test for bad credentials, and any other for no response.
  const outcome = await hub.test().then(
    result => result.outcome,
    error => (isPermanentError(error) ? 'bad_credentials' : 'unreachable'),
  );
  if (hub.http.sent.length === before)
    throw new Error('test sends no request, so it cannot know whether the credentials are good.');
  if (outcome === expected) return;
  throw new Error(
    `When the provider ${reply.unreachable ? 'does not answer' : `answers ${reply.status}`}, test must say ${expected}, not ${outcome}.`,
  );
}

async function isSuccessful(work: () => Promise<void>): Promise<boolean> {
  return work().then(
    () => true,
    () => false,
  );
}

/** Returns the check that a list is read to its end; none without its fixtures. */
function pagingChecks({ fixtures, ...subject }: PluginUnderTest): ConformanceCheck[] {
  const { paging } = fixtures;
  if (!paging) return [];
  const run = () =>
    withTestHub({ ...subject, fixtures: { ...fixtures, provider: paging.provider } }, async (hub, provider) => {
      await paging.read(hub);
      await hub.drain();
      const count = provider?.pagesRead?.();
      if (count !== 2)
        throw new Error(`Of a list of two pages ${count ?? 'an unknown number'} were read: follow the next page.`);
    });
  return [{ name: 'a list of two pages is read to its end', run }];
}

/** Returns checks that run every declared handler with its example; webhooks, events and jobs run twice. */
export function deliveryChecks(subject: PluginUnderTest): ConformanceCheck[] {
  const scenarios = listScenarios(subject.manifest, subject.fixtures);
  const deliveries = scenarios.map(({ kind, name, go, missing }) => ({
    name: `the ${kind} "${name}" works, and a second time changes nothing`,
    run: () =>
      withTestHub(subject, async hub => {
        if (!go) throw new Error(missing);
        await go(hub);
        await hub.drain();
      }),
  }));
  const signedWebhooks = Object.entries(subject.manifest.inbound ?? {}).filter(([, { signature }]) => signature);
  return [
    ...deliveries,
    ...pagingChecks(subject),
    ...signedWebhooks.map(([name]) => ({
      name: `the webhook "${name}" is refused with a wrong signature`,
      run: () =>
        withTestHub(subject, async hub => {
          const payload = subject.fixtures.inbound?.[name] ?? {};
          const { status } = await hub.inbound(name, payload, { signed: false });
          assertNoFaults(status === 401 ? [] : [`A webhook with a wrong signature got the response ${status}.`]);
        }),
    })),
  ];
}
