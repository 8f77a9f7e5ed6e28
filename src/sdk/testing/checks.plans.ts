import { isPlanIncluded, plans } from './plan.js';
import { PlanRequiredError } from './test-errors.js';
import { type LifecycleScenario, listScenarios } from './lifecycle-scenarios.js';
import { type ConformanceCheck, withTestHub, assertNoFaults, type PluginUnderTest } from './plugin-under-test.js';
import type { TestHub } from './test-hub.js';
import type { ToolPlan } from '../tool.js';

/** Every plan at every door: what is too low is refused, skipped or hidden, and never reaches the plugin. */
export function planChecks(subject: PluginUnderTest): ConformanceCheck[] {
  const rounds = listScenarios(subject.manifest, subject.fixtures).filter(({ go }) => go);
  return plans.map(plan => ({
    name: `on the plan ${plan} the right doors are open`,
    run: () =>
      withTestHub(
        subject,
        async hub => {
          const faults: string[] = [];
          for (const round of rounds) {
            const open = isPlanIncluded(plan, findRequiredPlan(subject, round));
            if ((await isReachable(hub, round)) !== open) {
              faults.push(`On ${plan} the ${round.kind} "${round.name}" must be ${open ? 'open' : 'closed'}.`);
            }
            const listed = round.kind !== 'tool' || hub.tools(true).includes(round.name) === open;
            if (!listed) faults.push(`On ${plan} the tool "${round.name}" must be ${open ? 'listed' : 'hidden'}.`);
          }
          assertNoFaults(faults);
        },
        { plan },
      ),
  }));
}

function findRequiredPlan({ manifest }: PluginUnderTest, { kind, name }: LifecycleScenario): ToolPlan {
  const part = kind === 'tool' ? manifest.tools?.[name] : kind === 'route' ? manifest.routes?.[name] : undefined;
  return part?.minPlan ?? manifest.minPlan;
}

async function isReachable(hub: TestHub, { kind, go }: LifecycleScenario): Promise<boolean> {
  try {
    const answer = await go!(hub);
    if (kind === 'webhook') return (answer as { delivered: boolean }).delivered;
    if (kind === 'route') return !isNotFound(answer);
    return answer !== false;
  } catch (error) {
    if (error instanceof PlanRequiredError) return false;
    throw error;
  }
}

function isNotFound(answer: unknown): boolean {
  const { status, body } = answer as { status: number; body?: { error?: unknown } };
  return status === 404 && body?.error === 'not_found';
}
