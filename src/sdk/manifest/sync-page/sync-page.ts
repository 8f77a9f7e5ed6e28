import {
  approveBody,
  approveResponse,
  changesResponse,
  pageQuery,
  reviewsResponse,
  verdictBody,
  verdictResponse,
} from './changes.schemas.js';
import { fieldsResponse } from './fields.schemas.js';
import { startBody, startResponse, statusResponse } from './sync.schemas.js';

/**
 * Schemas of the routes that the sync page of the console calls, for plugins with `page: 'sync'` in their manifest: such a
 * plugin keeps a CRM and the graph in agreement, and the console draws its page like that of the CRM sync.
 * The run is called `sync` and is marked with `sync: true`; its result has the `counts` and `push` of `last_sync`, and `dry_run`.
 * Required are `POST sync` and `GET status`. The page leaves out what further routes would serve: `POST approve` (mass
 * changes), `GET changes`, `GET reviews` with `POST reviews/:object/:id/:field`, and `GET fields/:object` with the setting
 * `field_map`.
 * @example
 * ```ts
 * export default {
 *   ...,
 *   page: 'sync',
 *   runs: { sync: { title: 'Sync Acme CRM', sync: true, input: syncPage.startBody } },
 *   routes: {
 *     start: { method: 'POST', path: 'sync', auth: 'workspace', body: syncPage.startBody, response: syncPage.startResponse },
 *     status: { method: 'GET', path: 'status', auth: 'workspace', response: syncPage.statusResponse },
 *   },
 * } satisfies PluginManifest;
 * ```
 */
export const syncPage = {
  startBody,
  startResponse,
  statusResponse,
  approveBody,
  approveResponse,
  pageQuery,
  changesResponse,
  reviewsResponse,
  verdictBody,
  verdictResponse,
  fieldsResponse,
} as const;

/**
 * Parts of the sync page that a plugin may leave out.
 * @example const served = syncPageParts.filter(part => part !== 'fields');
 */
export const syncPageParts = ['mass_changes', 'changes', 'reviews', 'fields'] as const;

/**
 * Part of the sync page that a plugin may leave out.
 * @example const parts: SyncPagePart[] = ['mass_changes', 'changes', 'reviews', 'fields'];
 */
export type SyncPagePart = (typeof syncPageParts)[number];
