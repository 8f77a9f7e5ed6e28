import { LRUCache } from 'lru-cache';
import type { ToolOwner } from './registered-tool.js';
import { type AccessControlled, isListed, type ToolView } from './tool-visibility.js';

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
