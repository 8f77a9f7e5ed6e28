import { checkManifest, type PluginManifest, syncPage } from '#sdk/index.js';
import { listSyncPageParts } from '#sdk/manifest/sync-page/sync-page-rules.js';
import crm from '../../plugins/crm/src/manifest.js';
import partner from '../fixtures/plugins/sync/acme-sync/manifest.js';

const manifestOf = (rest: Partial<PluginManifest>): PluginManifest => ({
  id: 'acme',
  displayName: 'Acme',
  description: 'A sync.',
  sdk: '^1.0.0',
  minPlan: 'starter',
  page: 'sync',
  ...rest,
});
const runs = { sync: { title: 'Sync Acme', sync: true } };
const start = { method: 'POST', path: 'sync', auth: 'workspace', response: syncPage.startResponse } as const;
const status = { method: 'GET', path: 'status', auth: 'workspace', response: syncPage.statusResponse } as const;
const reviews = { method: 'GET', path: 'reviews', auth: 'workspace', response: syncPage.reviewsResponse } as const;
const fields = { method: 'GET', path: 'fields/:object', auth: 'workspace', response: syncPage.fieldsResponse } as const;

describe('the page of a sync', () => {
  it('shows the parts that a plugin serves', () => {
    expect(listSyncPageParts(crm)).toEqual(['mass_changes', 'changes', 'reviews', 'fields']);
    expect(listSyncPageParts(partner)).toEqual(['changes', 'reviews']);
    expect(listSyncPageParts(manifestOf({ runs, routes: { start, status } }))).toEqual([]);
    expect(listSyncPageParts({ ...manifestOf({ runs }), page: undefined } as never)).toBeUndefined();
  });

  it.each<[string, Partial<PluginManifest>, string[]]>([
    ['everything it needs', { runs, routes: { start, status } }, []],
    [
      'nothing of it',
      {},
      [
        'The page "sync" shows the run "sync": add it to "runs", with "sync": true.',
        'The page "sync" calls POST sync: add that route.',
        'The page "sync" calls GET status: add that route.',
      ],
    ],
    [
      'a status that promises less',
      { runs, routes: { start, status: { ...status, response: { type: 'object', required: ['provider'] } } } },
      [expect.stringMatching(/^The page "sync" reads direction, .* of GET status: list them as "required"/)],
    ],
    [
      'reviews that nobody can decide',
      { runs, routes: { start, status, reviews } },
      ['The page "sync" calls POST reviews/:object/:id/:field: add that route.'],
    ],
    [
      'fields that cannot be saved',
      { runs, routes: { start, status, fields } },
      ['The page "sync" saves fields in the setting "field_map": add it to "settings".'],
    ],
  ])('is checked for a plugin that has %s', (_, rest, faults) => {
    expect(checkManifest(manifestOf(rest))).toEqual(faults);
  });
});
