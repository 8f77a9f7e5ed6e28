import { Injectable } from '@nestjs/common';
import { listOwnDomains } from '#domain/facts/profile.js';
import { PROFILE_SECTION } from '#domain/facts/sections.js';
import type { Transaction } from '#kernel/db/transaction.js';
import { WorkspaceCache } from '#kernel/db/workspace-cache.js';
import { readNewestContent } from './facts.queries.js';

/**
 * Caches the registrable domains (ASCII) of the workspace itself. People at these domains are colleagues: they create
 * no company and are no leads.
 */
@Injectable()
export class OwnDomainsCache extends WorkspaceCache<ReadonlySet<string>> {
  protected async query(tx: Transaction, workspace: string): Promise<ReadonlySet<string>> {
    return listOwnDomains(await readNewestContent(tx, workspace, PROFILE_SECTION));
  }
}
