import type { Env } from '#kernel/config/env.js';

/**
 * Returns the settings that the operator sets for all connections of a plugin. Settings of a connection override them.
 */
export function getOperatorSettings(env: Env, plugin: string): Readonly<Record<string, unknown>> {
  return plugin === 'calcom' && env.calendarApiUrl !== undefined ? { api_url: env.calendarApiUrl } : {};
}
