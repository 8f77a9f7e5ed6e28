import { roundsOf } from './rounds.js';
import { type Check, onStage, refuse, type Subject } from './subject.js';

/** Everything declared happens once with its example, and webhooks, events and jobs a second time. */
export function deliveryChecks(subject: Subject): Check[] {
  const rounds = roundsOf(subject.manifest, subject.fixtures);
  const happening = rounds.map(({ kind, name, go, missing }) => ({
    name: `the ${kind} "${name}" works, and a second time changes nothing`,
    run: () =>
      onStage(subject, async hub => {
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
        onStage(subject, async hub => {
          const payload = subject.fixtures.inbound?.[name] ?? {};
          const { status } = await hub.inbound(name, payload, { signed: false });
          refuse(status === 401 ? [] : [`A webhook with a wrong signature was answered ${status}.`]);
        }),
    })),
  ];
}
