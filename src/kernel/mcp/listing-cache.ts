import { LRUCache } from 'lru-cache';
import type { ToolOwner } from './registered-tool.js';
import { type AccessControlled, checkAccess, type ToolView } from './tool-visibility.js';

/** Distinct lists that are kept; workspaces differ only by plan and scopes. */
const MAX_CACHED_LISTS = 200;

/** What can stand on a shelf. */
export interface Listable extends AccessControlled {
  readonly owner: ToolOwner;
  /** What a list sends for it, made once. */
  readonly descriptor: object;
}

/** What is offered to agents, by name, with the list of it for each kind of caller. */
export class ListingCache<Item extends Listable> {
  private readonly items = new Map<string, Item>();
  private readonly lists = new LRUCache<string, readonly Item['descriptor'][]>({ max: MAX_CACHED_LISTS });

  get(name: string): Item | undefined {
    return this.items.get(name);
  }

  /** Everything, whoever may use it. */
  all(): Iterable<Item> {
    return this.items.values();
  }

  set(name: string, item: Item): void {
    this.items.set(name, item);
    this.lists.clear();
  }

  /** Takes away what a plugin has given. */
  removePlugin(plugin: string): void {
    for (const [name, { owner }] of this.items) if (owner.plugin === plugin) this.items.delete(name);
    this.lists.clear();
  }

  /** What a caller sees, by name. A pure function of plan, scopes and what stands here. */
  list(view: ToolView): readonly Item['descriptor'][] {
    const key = JSON.stringify([view.plan, [...view.scopes].sort()]);
    const known = this.lists.get(key);
    if (known) return known;
    const visible = [...this.items].filter(([, item]) => checkAccess(item, view) === undefined);
    const list = Object.freeze(visible.sort(compareByName).map(([, { descriptor }]) => descriptor));
    this.lists.set(key, list);
    return list;
  }
}

function compareByName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}
