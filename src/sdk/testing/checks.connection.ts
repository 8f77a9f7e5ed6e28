import { isDeepStrictEqual } from 'node:util';
import type { TestHub } from './test-hub.js';
import type { TestReply } from './provider-traffic.js';
import { type ConformanceCheck, withTestHub, type PluginUnderTest } from './plugin-under-test.js';

const NO_PROVIDER =
  'fixtures.provider is missing: fake the provider there, as in provider: () => ({ answer: request => ({ status: 200 }) }).';
const SAFE_METHODS = new Set(['GET', 'HEAD']);

/** Returns the checks of connecting and disconnecting; none for a plugin that needs no lifecycle. */
export function connectionChecks(subject: PluginUnderTest): ConformanceCheck[] {
  if (!subject.manifest.credentials && !subject.manifest.inbound) return [];
  const check = (name: string, work: Parameters<typeof withTestHub<void>>[1]): ConformanceCheck => ({
    name,
    run: () => {
      const { provider } = subject.fixtures;
      if (!provider && subject.manifest.credentials) return Promise.reject(new Error(NO_PROVIDER));
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

async function expectOutcome(hub: TestHub, reply: TestReply, expected: string): Promise<void> {
  const before = hub.http.sent.length;
  hub.http.serve(() => reply);
  // The hub treats an error of test as unreachable.
  const outcome = await hub.test().then(
    result => result.outcome,
    () => 'unreachable',
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
