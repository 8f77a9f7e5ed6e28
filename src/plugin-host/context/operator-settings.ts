import type { Env } from '#kernel/config/env.js';

/** Settings that the operator gives all connections of a plugin; what a connection says itself comes first. */
export function getOperatorSettings(env: Env, plugin: string): Readonly<Record<string, unknown>> {
  return plugin === 'calcom' && env.calendarApiUrl !== undefined ? { api_url: env.calendarApiUrl } : {};
}
