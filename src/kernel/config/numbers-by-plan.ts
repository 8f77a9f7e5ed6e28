import { z } from 'zod';
import { type Plan, PLANS } from '#domain/plans/tiers.js';

/** Parses `RATE_LIMITS`. */
export function readRateLimits(text: string, context: z.RefinementCtx): Record<Plan, number> {
  return readNumbersByPlan(text, { starter: 20, growth: 100, scale: 1000 }, 'requests per second', context);
}

/** Parses `MAX_FILE_MB`. */
export function readMaxFileMb(text: string, context: z.RefinementCtx): Record<Plan, number> {
  return readNumbersByPlan(text, { starter: 100, growth: 500, scale: 1000 }, 'megabytes', context);
}

/** Parses `starter=20,growth=100`, or one number for every plan; the others are those of `defaults`. */
function readNumbersByPlan(
  text: string,
  defaults: Readonly<Record<Plan, number>>,
  unit: string,
  context: z.RefinementCtx,
): Record<Plan, number> {
  const limits: Record<Plan, number> = { ...defaults };
  if (text === '') return limits;
  for (const part of text.split(',').map(p => p.trim())) {
    const [, name, count] = /^(?:([a-z]+)\s*=\s*)?(\d{1,7})$/.exec(part) ?? [];
    const named = name === undefined ? PLANS : PLANS.filter(plan => plan === name);
    if (count === undefined || named.length === 0) {
      context.addIssue(`"${part}" is not <plan>=<${unit}>, with a plan of ${PLANS.join(', ')}`);
      return z.NEVER;
    }
    for (const plan of named) limits[plan] = Number(count);
  }
  return limits;
}
