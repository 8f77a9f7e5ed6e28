import type { Fixtures } from './plugin-under-test.js';
import type { PluginManifest } from '../manifest.js';
import type { TestHub } from './test-hub.js';

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
