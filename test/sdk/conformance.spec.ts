import type { PluginManifest } from '#sdk/index.js';
import { conformance, type FakeProvider, type Fixtures } from '#sdk/testing/index.js';
import { BrokenPlugin, brokenManifest, ScopedPlugin } from './broken.plugin.js';

/** A provider that makes a subscription whenever it is asked. */
function careless(): FakeProvider {
  let standing = 0;
  return {
    answer: ({ method, url }) => {
      if (url.pathname !== '/v1/webhooks') return url.pathname === '/v1/ping' ? { status: 200 } : undefined;
      standing += method === 'POST' ? 1 : -1;
      return { status: 201 };
    },
    subscriptions: () => standing,
  };
}

const fixtures: Fixtures = {
  credentials: { api_key: 'sk_live_51' },
  provider: careless,
  inbound: { forgetful: {} },
  events: { 'note.saved': { note_id: 'n-1', entity_id: 'e-1', type: 'note', title: 'Demo' } },
  jobs: { counting: null, swallowing: null },
  tools: { broken_count: {} },
  routes: { talking: {} },
};

/** What the checks say, by their names; those that pass are left out. */
async function complaints(manifest: PluginManifest, given: Fixtures = fixtures, plugin = BrokenPlugin) {
  const problems: Record<string, string> = {};
  for (const { name, run } of conformance(plugin, manifest, given)) {
    await run().catch((error: Error) => (problems[name] = error.message));
  }
  return problems;
}

describe('the conformance checks', () => {
  it('find what is wrong with a plugin, and nothing else', async () => {
    const output = await complaints(brokenManifest);
    expect(output).toEqual({
      'the tools are well formed': expect.stringMatching(
        /description must tell.*\n.*must have type "object".*\n.*anyOf/,
      ),
      'test accepts good credentials and changes nothing': 'test sent POST /v1/ping: it may only read.',
      'test tells bad credentials from a provider that is away':
        'When the provider answers 401, test must say bad_credentials, not ok.',
      'connect can be repeated': 'After a second connect 2 subscriptions stand, after the first 1.',
      'disconnect takes a 404 as success, and nothing else': expect.stringContaining(
        'hid that the provider returned 500',
      ),
      'the webhook "forgetful" works, and a second time changes nothing': expect.stringContaining(
        'another interaction.call_held of ada@example.org (it needs an external_id)',
      ),
      'the event "note.saved" works, and a second time changes nothing': expect.stringContaining(
        'another value under "sum" in the store',
      ),
      'the job "counting" works, and a second time changes nothing': expect.stringContaining(
        '(its external_id "c-2" must be the same each time)',
      ),
      'the job "swallowing" works, and a second time changes nothing': expect.stringContaining(
        'The plugin sent GET https://provider.example/v1/secret-door, which the test does not expect.',
      ),
      'the tool "broken_count" works, and a second time changes nothing':
        expect.stringContaining('another note "Again"'),
      'on the plan growth only the handlers of the plan are reachable': expect.any(String),
      'on the plan scale only the handlers of the plan are reachable': expect.any(String),
      'secrets stay secret': expect.stringContaining('The secret "api_key" stands in the log'),
      'secrets stay secret when the provider fails': expect.stringContaining('The secret "api_key" stands in the log'),
    });
  });

  it('ask for the examples that are missing', async () => {
    const text = await complaints(brokenManifest, { credentials: { api_key: 'sk_live_51' } });
    expect(Object.values(text).join('\n')).toContain('fixtures.inbound["forgetful"] is missing');
    expect(Object.values(text).join('\n')).toContain('fixtures.tools["broken_count"] is missing');
  });

  it('find what is no data in a manifest, and what does not fit', async () => {
    const reported = await complaints({
      ...brokenManifest,
      icon: undefined,
      minPlan: 'gold',
    } as unknown as PluginManifest);
    expect(reported['the manifest survives JSON']).toContain('make it plain data');
    expect(reported['the manifest fits its schema']).toContain(
      'manifest/minPlan: must be equal to one of the allowed values',
    );
  });

  it('find a handler that has no single instance', async () => {
    const { id, displayName, description, sdk } = brokenManifest;
    const manifest: PluginManifest = { id, displayName, description, sdk, minPlan: 'starter' };
    const reported = await complaints(manifest, {}, ScopedPlugin);
    expect(reported['the manifest and the code agree']).toContain('Scoped is no singleton');
  });
});
