import { listScenarios } from './lifecycle-scenarios.js';
import { type ConformanceCheck, withTestHub, assertNoFaults, type PluginUnderTest } from './plugin-under-test.js';

/** Everything declared happens once with its example, and webhooks, events and jobs a second time. */
export function deliveryChecks(subject: PluginUnderTest): ConformanceCheck[] {
  const rounds = listScenarios(subject.manifest, subject.fixtures);
  const happening = rounds.map(({ kind, name, go, missing }) => ({
    name: `the ${kind} "${name}" works, and a second time changes nothing`,
    run: () =>
      withTestHub(subject, async hub => {
        if (!go) throw new Error(missing);
        await go(hub);
        await hub.drain();
      }),
  }));
  const forged = Object.entries(subject.manifest.inbound ?? {}).filter(([, { signature }]) => signature);
  return [
    ...happening,
    ...forged.map(([name]) => ({
      name: `the webhook "${name}" is refused with a wrong signature`,
      run: () =>
        withTestHub(subject, async hub => {
          const payload = subject.fixtures.inbound?.[name] ?? {};
          const { status } = await hub.inbound(name, payload, { signed: false });
          assertNoFaults(status === 401 ? [] : [`A webhook with a wrong signature was answered ${status}.`]);
        }),
    })),
  ];
}
