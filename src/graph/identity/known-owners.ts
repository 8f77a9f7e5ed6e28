import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Handle, Owner } from './identifiers.queries.js';

/** Some hundred bytes each. */
const REMEMBERED = 50_000;

/**
 * Whose identifiers are, as this process has met them last, so that who writes about the same people again need not look
 * them up. An identifier never changes its entity: no role of the hub may update or delete one. The cluster of an entity
 * does change, in any process. So whoever uses this has to see, once the entity is locked, that it stands where it did.
 */
@Injectable()
export class KnownOwners {
  private readonly owners = new LRUCache<string, Owner>({ max: REMEMBERED });

  /** The owner of a handle, if it was met. */
  of(workspace: string, handle: Handle): Owner | undefined {
    return this.owners.get(keyOf(workspace, handle));
  }

  /** Remembers owners. They must have been committed. */
  keep(workspace: string, owners: ReadonlyMap<Handle, Owner>): void {
    for (const [handle, owner] of owners) this.owners.set(keyOf(workspace, handle), owner);
  }

  /** Has a handle looked up again. */
  forget(workspace: string, handle: Handle): void {
    this.owners.delete(keyOf(workspace, handle));
  }
}

function keyOf(workspace: string, handle: Handle): string {
  return `${workspace} ${handle}`;
}
