import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { IdentifierKey, Owner } from './identifiers.queries.js';

/** Each takes some hundred bytes. */
const MAX_OWNERS = 50_000;

/**
 * Caches owners of identifiers per process, so that repeated writes about the same entities need no look-up. An
 * identifier never moves to another entity: no database role of the hub may update one, and only the erasure of a
 * person deletes some. The cluster of an entity can change, also in another process, so callers must check the cached
 * cluster after they have locked the entity. This check fails for an erased entity, too.
 */
@Injectable()
export class OwnerCache {
  private readonly owners = new LRUCache<string, Owner>({ max: MAX_OWNERS });

  /** Returns the cached owner of a key. */
  get(workspace: string, key: IdentifierKey): Owner | undefined {
    return this.owners.get(cacheKey(workspace, key));
  }

  /** Caches owners. They must be committed. */
  set(workspace: string, owners: ReadonlyMap<IdentifierKey, Owner>): void {
    for (const [key, owner] of owners) this.owners.set(cacheKey(workspace, key), owner);
  }

  /** Removes a key. */
  evict(workspace: string, key: IdentifierKey): void {
    this.owners.delete(cacheKey(workspace, key));
  }
}

function cacheKey(workspace: string, key: IdentifierKey): string {
  return `${workspace} ${key}`;
}
