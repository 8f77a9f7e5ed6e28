import { listScenarios } from './lifecycle-scenarios.js';
import { type ConformanceCheck, withTestHub, assertNoFaults, type PluginUnderTest } from './plugin-under-test.js';

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
