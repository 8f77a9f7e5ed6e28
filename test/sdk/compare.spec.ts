import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import {
  checkManifest,
  compareManifest,
  collectHandlers,
  manifestSchema,
  type PluginManifest,
  SDK_VERSION,
} from '#sdk/index.js';
import manifest from '../../plugins/template/src/manifest.js';
import { Broken, BrokenConnection, brokenManifest } from './broken.plugin.js';

const good: PluginManifest = manifest;
const handlers = collectHandlers([new Broken(), new BrokenConnection()]);
const compared = (changes: Partial<PluginManifest>) => compareManifest({ ...brokenManifest, ...changes }, handlers);

describe('manifest and code', () => {
  it('agree, or each difference is a sentence', () => {
    expect(compared({})).toEqual([]);
    expect(compared({ jobs: { counting: {}, swallowing: {}, sync: {} } })).toEqual([
      `The manifest declares the job "sync", but no method has @OnJob('sync'): add one to a provider of the module, or remove "sync" from "jobs".`,
    ]);
    expect(compared({ consumes: [] })).toEqual([
      `Broken.adding has @OnEvent('note.saved'), but the manifest does not declare it: add "note.saved" to "consumes", or remove the decorator.`,
    ]);
  });

  it('say the same about tools', () => {
    const tools = {
      broken_count: { visibility: 'internal', readOnly: true, idempotent: true, destructive: false },
    } as const;
    expect(compared({ tools })).toEqual([
      'The tool "broken_count" has visibility internal in the manifest, but visibility agent at Broken.tool: make them agree.',
      'The tool "broken_count" has readOnly true in the manifest, but readOnlyHint false at Broken.tool: make them agree.',
    ]);
  });

  it('say the same about resources and prompts', () => {
    expect(
      compared({ resources: { 'broken://calls': {} }, prompts: { broken_prepare: { minPlan: 'scale' } } }),
    ).toEqual([
      `The manifest declares the resource "broken://calls", but no method has @McpResource({ uri: 'broken://calls' }): add one to a provider of the module, or remove "broken://calls" from "resources".`,
      `The manifest declares the prompt "broken_prepare", but no method has @McpPrompt({ name: 'broken_prepare' }): add one to a provider of the module, or remove "broken_prepare" from "prompts".`,
    ]);
  });

  it('have one taker each, and a lifecycle where there is something to connect', () => {
    const twice = collectHandlers([new Broken(), new (class Copy extends Broken {})()]);
    const problems = compareManifest(brokenManifest, twice);
    expect(problems).toContain(
      `The job "counting" is handled by Broken.counting and Copy.counting: leave @OnJob('counting') on one of them.`,
    );
    expect(problems.at(-1)).toContain('no provider of the module has @Lifecycle()');
  });

  it('finds settings whose options nobody lists', () => {
    const settings = { type: 'object', properties: { queue: { type: 'string', default: '', options: 'provider' } } };
    expect(compared({ settings })).toContain(
      'The setting "queue" has "options": "provider", but BrokenConnection has no method options: add it.',
    );
  });
});

it('passes over providers that are no instances of a class', () => {
  const bare: unknown[] = [undefined, null, 'x', 7, () => 1, Object.create(null), { constructor: 'none' }, []];
  expect(Object.values(collectHandlers(bare)).flat()).toEqual([]);
});

describe('a manifest by itself', () => {
  const faults = (changes: Partial<PluginManifest>) => checkManifest({ ...good, ...changes });

  it('has nothing against the template', () => {
    expect(faults({})).toEqual([]);
  });

  it.each<[string, Partial<PluginManifest>, string]>([
    ['events of others', { emits: { 'contact.merged': { type: 'object' } } }, 'must begin with "acme-dialer."'],
    ['events that are none', { consumes: ['contact.merged'] }, 'The hub has no event "contact.merged"'],
    ['resources of another', { resources: { 'other://calls': {} } }, '"acme-dialer://"'],
    ['prompts of another', { prompts: { prepare: {} } }, '"acme_dialer_"'],
    ['tools without the prefix', { tools: { list_calls: good.tools!['acme_dialer_list_calls']! } }, '"acme_dialer_"'],
    [
      'a lower plan',
      { minPlan: 'scale', routes: { calls: { ...good.routes!['calls']!, minPlan: 'starter' } } },
      "lower than the plugin's scale",
    ],
    ['a panel without its route', { routes: {} }, 'must be a GET route in "routes"'],
    ['a form without a place to send it', { panels: [{ ...good.panels![0]!, kind: 'form' }] }, 'is sent to POST calls'],
    [
      'a secret that is none',
      { inbound: { calls: { signature: { algorithm: 'hmac-sha256', header: 'x', secretFrom: 'api_url' } } } },
      'takes its secret from "api_url"',
    ],
    [
      'a signed time without its header',
      {
        inbound: {
          calls: {
            signature: { algorithm: 'hmac-sha256', header: 'x', secretFrom: 'generated', signed: '{timestamp}{body}' },
          },
        },
      },
      'name its header in "timestampHeader"',
    ],
    [
      'an address from a field that is none',
      { http: { baseUrl: 'settings.url' } },
      '"settings.url": declare that field',
    ],
    ['a setting without default', { settings: { type: 'object', properties: { a: { type: 'string' } } } }, '"default"'],
  ])('refuses %s', (_what, changes, sentence) => {
    expect(faults(changes).join('\n')).toContain(sentence);
  });
});

describe('the schema of the manifest', () => {
  it('is one of draft 2020-12, takes the template and refuses what is unknown', () => {
    const validate = new Ajv2020({ strict: false }).compile(manifestSchema);
    expect(validate(good)).toBe(true);
    expect(validate({ ...good, version: '1.0.0' })).toBe(false);
  });

  it('describes every field', () => {
    const silent: string[] = [];
    const walk = (node: unknown, where: string): void => {
      if (typeof node !== 'object' || node === null) return;
      for (const [key, value] of Object.entries(node)) {
        if (key === 'properties')
          Object.entries(value as object).forEach(([name, field]) => see(field, `${where}/${name}`));
        else walk(value, `${where}/${key}`);
      }
    };
    const see = (field: { description?: string }, where: string): void => {
      if (!field.description) silent.push(where);
      walk(field, where);
    };
    walk(manifestSchema, '');
    expect(silent).toEqual([]);
  });
});

it('has one version', () => {
  const { version } = JSON.parse(readFileSync('src/sdk/package.json', 'utf8')) as { version: string };
  expect(SDK_VERSION).toBe(version);
});
