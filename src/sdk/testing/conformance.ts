import type { PluginManifest } from '../manifest.js';
import { codeChecks } from './checks.code.js';
import { connectionChecks } from './checks.connection.js';
import { deliveryChecks } from './checks.delivery.js';
import { manifestChecks } from './checks.manifest.js';
import { planChecks } from './checks.plans.js';
import { secretChecks } from './checks.secrets.js';
import type { PluginModule } from './plugin-container.js';
import type { ConformanceCheck, Fixtures, PluginUnderTest } from './plugin-under-test.js';

/**
 * The checks that every plugin has to pass before it is published: its manifest, its code, the connection, deliveries
 * that come twice, plans, and secrets. What needs an example and finds none fails with a sentence that names the
 * fixture.
 * @returns the checks by name; `run` rejects with a sentence that says what to mend. For jest, node:test, and
 *   `rapport plugin check`
 * @example for (const check of conformance(AcmeDialerPlugin, manifest, fixtures)) it(check.name, check.run);
 */
export function conformance(
  plugin: PluginModule,
  manifest: PluginManifest,
  fixtures: Fixtures = {},
): ConformanceCheck[] {
  const subject: PluginUnderTest = { plugin, manifest, fixtures };
  return [manifestChecks, codeChecks, connectionChecks, deliveryChecks, planChecks, secretChecks].flatMap(checks =>
    checks(subject),
  );
}
