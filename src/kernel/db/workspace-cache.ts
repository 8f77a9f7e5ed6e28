import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Transaction } from './transaction.js';
import { UnitOfWork, type WorkspaceLoader } from './unit-of-work.js';

/** Time after which a value is read again, in milliseconds; a change by another process is visible by then. */
const TTL_MS = 5_000;

/** Maximum number of workspaces; the least recently used one is evicted. */
const MAX_WORKSPACES = 10_000;

interface CacheEntry<T> {
  readonly value: T;
  /** When the read began, in milliseconds of `performance.now()`. */
  readonly readAt: number;
}

/**
 * Caches a small value per workspace that its transactions need without delay. The unit of work reads a missing or
 * expired value before it begins a transaction of the workspace, so within one {@link get} needs no database.
 * Decorated so that Nest injects the parameters of this constructor into subclasses, which have none.
 */
@Injectable()
export abstract class WorkspaceCache<T> implements WorkspaceLoader {
  private readonly entries = new LRUCache<string, CacheEntry<T>>({ max: MAX_WORKSPACES });

  constructor(private readonly work: UnitOfWork) {
    work.loadBeforeTransactions(this);
  }

  /**
   * Reads the value of a workspace from the database.
   * @param previous the cached value; return it if nothing has changed, so that it keeps its identity.
   */
  protected abstract query(tx: Transaction, workspace: string, previous: T | undefined): Promise<T>;

  /** Returns the value of a workspace. Call it within or after a transaction of the workspace. */
  get(workspace: string): T {
    const entry = this.entries.get(workspace);
    if (!entry) throw new Error('no transaction of this workspace has begun');
    return entry.value;
  }

  /** Returns the value of a workspace outside of any transaction; reads it if it is missing or expired. */
  async read(workspace: string): Promise<T> {
    if (!this.isLoaded(workspace)) await this.refresh(workspace);
    return this.get(workspace);
  }

  /** Reads the value again, after this process has changed it. */
  async refresh(workspace: string): Promise<void> {
    await this.work.system(tx => this.load(tx, workspace));
  }

  isLoaded(workspace: string): boolean {
    const entry = this.entries.peek(workspace);
    return entry !== undefined && performance.now() - entry.readAt < TTL_MS;
  }

  async load(tx: Transaction, workspace: string): Promise<void> {
    const readAt = performance.now();
    const value = await this.query(tx, workspace, this.entries.peek(workspace)?.value);
    const current = this.entries.peek(workspace);
    // A read that began earlier may end later and must not replace a newer value.
    if (!current || current.readAt <= readAt) this.entries.set(workspace, { value, readAt });
  }
}
