import { conformance } from '#sdk/testing/index.js';
import { AcmeDialerPlugin } from '../../plugins/template/src/acme-dialer.plugin.js';
import fixtures from '../../plugins/template/src/fixtures.js';
import manifest from '../../plugins/template/src/manifest.js';

/** Its own test is run by `test/reliability/installations/new-plugin.spec.ts`, as a partner would run it. */
describe('the template', () => {
  it.each(conformance(AcmeDialerPlugin, manifest, fixtures))('$name', ({ run }) => run());
});
