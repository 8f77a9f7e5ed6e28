import type { IncomingHttpHeaders } from 'node:http';
import type { McpToolOptions } from '#sdk/tool.js';
import type { Plan } from '#domain/plans/tiers.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { PlanGate } from '#kernel/plans/plan-gate.js';
import { toModelMessage } from './mcp-responses.js';
import { LRUCache } from 'lru-cache';
import type { ToolOwner } from './tool-schema.js';

const SEPARATOR = /[\s,]+/;
const MAX_NAMES = 200;

/** Selection of tools by a client, which reduces the tokens that definitions cost its model. */
export interface ToolFilter {
  /** Undefined for all tools. */
  readonly names: ReadonlySet<string> | undefined;
  readonly readOnly: boolean;
}

/**
 * Parses the selection from the URL (`?tools=get_account,record`, `?readonly=true`) and the headers (`X-MCP-Tools`,
 * `X-MCP-Readonly`); if both are present, both apply. It narrows what plan and scopes allow and never widens it.
 */
export function parseToolFilter(url: string, headers: IncomingHttpHeaders): ToolFilter | undefined {
  const query = url.includes('?') ? new URLSearchParams(url.slice(url.indexOf('?') + 1)) : undefined;
  const lists = [query?.get('tools'), headers['x-mcp-tools']?.toString()].filter(list => list?.trim());
  const switches = [query?.get('readonly'), headers['x-mcp-readonly']?.toString()];
  const readOnly = switches.some(value => value === '' || value === 'true' || value === '1');
  if (lists.length === 0) return readOnly ? { names: undefined, readOnly } : undefined;
  const [first, second] = lists.map(list => new Set(list!.trim().split(SEPARATOR, MAX_NAMES)));
  return { names: second ? first!.intersection(second) : first, readOnly };
}

/** Explains to a model why a tool is not selected; undefined if it is. */
export function explainExclusion(
  filter: ToolFilter | undefined,
  { name, annotations }: McpToolOptions,
): string | undefined {
  if (!filter) return undefined;
  const reason =
    filter.readOnly && !annotations.readOnlyHint
      ? 'writes, and this connection was set up to read only'
      : filter.names && !filter.names.has(name) && 'is not among the tools that this connection was set up with';
  return reason ? `The tool ${name} ${reason}. Do not retry; tell the user.` : undefined;
}

/** Properties of a caller that decide which tools it can use. Tools of a plugin exist while the plugin runs. */
export interface ToolView {
  readonly plan: Plan;
  readonly scopes: readonly string[];
  /** Plugins whose items lists leave out, because the workspace cannot use them at present. Default: none. */
  readonly unavailablePlugins?: ReadonlySet<string>;
}

/** An item that only some callers may use. */
export interface AccessControlled {
  /** Name for messages, such as `tool record`. */
  readonly label: string;
  readonly options: Pick<McpToolOptions, 'minPlan' | 'scopes' | 'visibility'>;
}

/** `'unknown'`: treat the item as nonexistent. An object: its reason is shown to the model. */
export type AccessDenial = 'unknown' | { readonly reason: string };

/** Returns why a caller may not use an item; undefined if it may. */
export function checkAccess({ label, options }: AccessControlled, view: ToolView): AccessDenial | undefined {
  if (options.visibility === 'internal' && !view.scopes.includes('internal')) return 'unknown';
  if (!PlanGate.isAllowed(view.plan, options.minPlan)) {
    return deny(label, `needs the plan "${options.minPlan}", and this workspace has the plan "${view.plan}"`);
  }
  const scope = options.scopes.find(required => !view.scopes.includes(required));
  return scope === undefined ? undefined : { reason: toModelMessage(HubError.missingScope(scope, `The ${label}`))! };
}

/**
 * Returns whether a list shows an item: if the caller may use it, or lacks only `settings` and may write. An agent then
 * learns from a call who can grant the scope, and does not conclude that the workspace cannot be set up.
 */
export function isListed(item: AccessControlled, view: ToolView): boolean {
  const scopes = view.scopes.includes('write') ? [...view.scopes, 'settings'] : view.scopes;
  return checkAccess(item, { plan: view.plan, scopes }) === undefined;
}

/**
 * Builds a reason that a model reads in the middle of its work, because clients keep old lists after a change of plan
 * or key.
 */
function deny(what: string, reason: string): AccessDenial {
  return { reason: `The ${what} ${reason}. Do not retry; tell the user.` };
}

/** Maximum number of cached lists; workspaces differ only by plan, scopes and connected plugins. */
const MAX_CACHED_LISTS = 200;

/** An item of a {@link ListingCache}. */
export interface Listable extends AccessControlled {
  readonly owner: ToolOwner;
  /** Its entry in a list response, built once. */
  readonly descriptor: object;
}

/** Holds the items of one kind by name, and caches their list for each kind of view. */
export class ListingCache<Item extends Listable> {
  private readonly items = new Map<string, Item>();
  private readonly lists = new LRUCache<string, readonly Item['descriptor'][]>({ max: MAX_CACHED_LISTS });

  get(name: string): Item | undefined {
    return this.items.get(name);
  }

  /** Returns all items, without a check of access. */
  all(): Iterable<Item> {
    return this.items.values();
  }

  set(name: string, item: Item): void {
    this.items.set(name, item);
    this.lists.clear();
  }

  /** Removes the items of a plugin. */
  removePlugin(plugin: string): void {
    for (const [name, { owner }] of this.items) if (owner.plugin === plugin) this.items.delete(name);
    this.lists.clear();
  }

  /** Lists the items that a caller can see, sorted by name. Depends only on the view and the current items. */
  list(view: ToolView): readonly Item['descriptor'][] {
    const { plan, scopes, unavailablePlugins } = view;
    const key = JSON.stringify([plan, [...scopes].sort(), [...(unavailablePlugins ?? [])].sort()]);
    const known = this.lists.get(key);
    if (known) return known;
    const visible = [...this.items].filter(
      ([, item]) => !unavailablePlugins?.has(item.owner.plugin ?? '') && isListed(item, view),
    );
    const list = Object.freeze(visible.sort(compareByName).map(([, { descriptor }]) => descriptor));
    this.lists.set(key, list);
    return list;
  }
}

function compareByName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}
