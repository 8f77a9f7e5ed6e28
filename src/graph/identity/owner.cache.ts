import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { IdentifierKey, Owner } from './identifiers.queries.js';

/** Some hundred bytes each. */
const MAX_OWNERS = 50_000;

/**
 * Whose identifiers are, as this process has met them last, so that who writes about the same people again need not look
 * them up. An identifier never changes its entity: no role of the hub may update or delete one. The cluster of an entity
 * does change, in any process. So whoever uses this has to see, once the entity is locked, that it stands where it did.
 */
@Injectable()
export class OwnerCache {
  private readonly owners = new LRUCache<string, Owner>({ max: MAX_OWNERS });

  /** The owner of a handle, if it was met. */
  get(workspace: string, handle: IdentifierKey): Owner | undefined {
    return this.owners.get(cacheKey(workspace, handle));
  }

  /** Remembers owners. They must have been committed. */
  set(workspace: string, owners: ReadonlyMap<IdentifierKey, Owner>): void {
    for (const [handle, owner] of owners) this.owners.set(cacheKey(workspace, handle), owner);
  }

  /** Has a handle looked up again. */
  evict(workspace: string, handle: IdentifierKey): void {
    this.owners.delete(cacheKey(workspace, handle));
  }
}

function cacheKey(workspace: string, handle: IdentifierKey): string {
  return `${workspace} ${handle}`;
}
