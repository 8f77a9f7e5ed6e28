import { isPlanIncluded, plans } from '../plan.js';
import { NotConnectedError, PlanRequiredError } from '../test-errors.js';
import { type LifecycleScenario, listScenarios } from './checks.connection.js';
import { type ConformanceCheck, withTestHub, assertNoFaults, type PluginUnderTest } from '../plugin-under-test.js';
import type { TestHub } from '../test-hub.js';
import type { ToolPlan } from '../../tool.js';

/** Returns checks that handlers above the plan of the workspace are refused, skipped or hidden, and never called. */
export function planChecks(subject: PluginUnderTest): ConformanceCheck[] {
  const scenarios = listScenarios(subject.manifest, subject.fixtures).filter(({ go }) => go);
  return plans.map(plan => ({
    name: `on the plan ${plan} only the handlers of the plan are reachable`,
    run: () =>
      withTestHub(
        subject,
        async hub => {
          const faults: string[] = [];
          for (const scenario of scenarios) {
            const isIncluded = isPlanIncluded(plan, findRequiredPlan(subject, scenario));
            if ((await isReachable(hub, scenario)) !== isIncluded) {
              faults.push(
                `On ${plan} the ${scenario.kind} "${scenario.name}" must be ${isIncluded ? 'reachable' : 'unreachable'}.`,
              );
            }
            const isListed = scenario.kind !== 'tool' || hub.tools(true).includes(scenario.name) === isIncluded;
            if (!isListed)
              faults.push(`On ${plan} the tool "${scenario.name}" must be ${isIncluded ? 'listed' : 'hidden'}.`);
          }
          assertNoFaults(faults);
        },
        { plan },
      ),
  }));
}

/** Returns the check that nothing of a plugin is reachable without the connection that it needs. */
export function missingConnectionChecks(subject: PluginUnderTest): ConformanceCheck[] {
  const scenarios = listScenarios(subject.manifest, subject.fixtures).filter(({ go }) => go);
  const run = () =>
    withTestHub(subject, async hub => {
      hub.connected = false;
      if (hub.connected) return;
      const faults: string[] = [];
      for (const scenario of scenarios) {
        if (await isReachable(hub, scenario))
          faults.push(`Without a connection the ${scenario.kind} "${scenario.name}" must be unreachable.`);
      }
      if (hub.http.sent.length > 0) faults.push('Without a connection a request was sent to the provider.');
      assertNoFaults(faults);
    });
  return [{ name: 'without the connection that it needs nothing is reachable', run }];
}

function findRequiredPlan({ manifest }: PluginUnderTest, { kind, name }: LifecycleScenario): ToolPlan {
  const part = kind === 'tool' ? manifest.tools?.[name] : kind === 'route' ? manifest.routes?.[name] : undefined;
  return part?.minPlan ?? manifest.minPlan;
}

async function isReachable(hub: TestHub, { kind, go }: LifecycleScenario): Promise<boolean> {
  try {
    const result = await go!(hub);
    if (kind === 'webhook') return (result as { delivered: boolean }).delivered;
    if (kind === 'route') return !isRefused(result);
    return result !== false;
  } catch (error) {
    if (error instanceof PlanRequiredError || error instanceof NotConnectedError) return false;
    throw error;
  }
}

function isRefused(result: unknown): boolean {
  const { status, body } = result as { status: number; body?: { error?: unknown } };
  return (status === 404 && body?.error === 'not_found') || (status === 409 && body?.error === 'not_connected');
}
