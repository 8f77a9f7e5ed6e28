import type { PluginManifest } from '../../manifest/manifest.js';
import { codeChecks, manifestChecks } from './checks.code.js';
import { connectionChecks, deliveryChecks } from './checks.connection.js';
import { missingConnectionChecks, planChecks } from './checks.plans.js';
import { runChecks } from './checks.runs.js';
import { secretChecks } from './checks.secrets.js';
import type { PluginModule } from '../plugin-container.js';
import type { ConformanceCheck, Fixtures, PluginUnderTest } from '../plugin-under-test.js';

/**
 * Returns the checks that every plugin must pass before it is published: manifest, code, connection, repeated
 * deliveries, plans and secrets. A check without its example fails with a message that names the missing fixture.
 * @returns the checks by name, for jest, node:test and `rapport plugin check`; `run` rejects with a message that says
 * how to fix the problem
 * @example for (const check of conformance(AcmeDialerPlugin, manifest, fixtures)) it(check.name, check.run);
 */
export function conformance(
  plugin: PluginModule,
  manifest: PluginManifest,
  fixtures: Fixtures = {},
): ConformanceCheck[] {
  const subject: PluginUnderTest = { plugin, manifest, fixtures };
  const kinds = [manifestChecks, codeChecks, connectionChecks, missingConnectionChecks, deliveryChecks, runChecks];
  return [...kinds, planChecks, secretChecks].flatMap(checks => checks(subject));
}
