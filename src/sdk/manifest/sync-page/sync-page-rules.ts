import type { PluginManifest, RouteManifest } from '../manifest.js';
import { syncPage, type SyncPagePart, syncPageParts } from './sync-page.js';

interface PageRoute {
  readonly method: RouteManifest['method'];
  readonly path: string;
  readonly response: { readonly required: readonly string[] };
}

const START: PageRoute = { method: 'POST', path: 'sync', response: syncPage.startResponse };
const STATUS: PageRoute = { method: 'GET', path: 'status', response: syncPage.statusResponse };

const PARTS: Readonly<Record<SyncPagePart, readonly PageRoute[]>> = {
  mass_changes: [{ method: 'POST', path: 'approve', response: syncPage.approveResponse }],
  changes: [{ method: 'GET', path: 'changes', response: syncPage.changesResponse }],
  reviews: [
    { method: 'GET', path: 'reviews', response: syncPage.reviewsResponse },
    { method: 'POST', path: 'reviews/:object/:id/:field', response: syncPage.verdictResponse },
  ],
  fields: [{ method: 'GET', path: 'fields/:object', response: syncPage.fieldsResponse }],
};

const RUN = 'sync';
const FIELD_MAP = 'field_map';

/**
 * Returns the parts of the sync page that a plugin serves; undefined for a plugin without that page.
 * @example listSyncPageParts(manifest) // ['changes', 'reviews']
 */
export function listSyncPageParts(manifest: PluginManifest): SyncPagePart[] | undefined {
  if (manifest.page !== 'sync') return undefined;
  return syncPageParts.filter(part => PARTS[part].every(route => findRoute(manifest, route)));
}

/**
 * Checks that a plugin with the sync page serves what it calls.
 * @returns one sentence per fault that says how to fix it; empty if there is none
 * @example const faults = checkSyncPage(manifest);
 */
export function checkSyncPage(manifest: PluginManifest): string[] {
  if (manifest.page !== 'sync') return [];
  const optional = Object.values(PARTS);
  const halves = optional.filter(routes => routes.some(route => findRoute(manifest, route)));
  const needed = [START, STATUS, ...halves.flat()];
  const hasFields = findRoute(manifest, PARTS.fields[0]!) !== undefined;
  const fieldMap = (manifest.settings?.['properties'] as Readonly<Record<string, unknown>> | undefined)?.[FIELD_MAP];
  return [
    ...(manifest.runs?.[RUN]?.sync === true
      ? []
      : ['The page "sync" shows the run "sync": add it to "runs", with "sync": true.']),
    ...(hasFields && !fieldMap
      ? [`The page "sync" saves fields in the setting "${FIELD_MAP}": add it to "settings".`]
      : []),
    ...needed.flatMap(route => checkRoute(manifest, route)),
  ];
}

function checkRoute(manifest: PluginManifest, expected: PageRoute): string[] {
  const { method, path, response } = expected;
  const found = findRoute(manifest, expected);
  if (!found) return [`The page "sync" calls ${method} ${path}: add that route.`];
  const promised = new Set((found.response?.['required'] ?? []) as readonly string[]);
  const missing = response.required.filter(field => !promised.has(field));
  if (missing.length === 0) return [];
  return [
    `The page "sync" reads ${missing.join(', ')} of ${method} ${path}: list them as "required" in its "response", as syncPage does.`,
  ];
}

function findRoute({ routes = {} }: PluginManifest, { method, path }: PageRoute): RouteManifest | undefined {
  return Object.values(routes).find(route => route.method === method && route.path === path);
}
