import type { Plan } from '#domain/plans/tiers.js';
import type { Instant } from '#domain/time/instant.js';
import { outsideRequest } from '#kernel/context/request-context.js';
import type { UnitOfWork } from '#kernel/db/unit-of-work.js';
import type { Caller, Scope } from './caller.js';

/** What the directory says of a key that is good now. */
export interface GoodKey {
  readonly caller: Caller;
  /** Milliseconds from the question until the key expires; Infinity for one that does not. */
  readonly validMs: number;
}

interface Row {
  readonly hash: string;
  readonly workspace_id: string;
  readonly id: string;
  readonly scopes: Scope[];
  readonly expires_at: Instant | null;
  readonly plan: Plan;
}

/** Statements at a time, so that a flood of made-up keys cannot take the connections that work needs. */
const LANES = 2;
const KEYS_IN_ONE_STATEMENT = 500;

/**
 * Finds API keys by their hash in the database. Everybody who asks for one key shares one answer, and keys that are
 * asked for while statements run travel together in the next one. The look-up is by the SHA-256 of what was sent and
 * nothing secret is compared here, so the time it takes tells nothing about a key.
 */
export class KeyDirectory {
  private readonly wanted = new Map<string, PromiseWithResolvers<GoodKey | undefined>>();
  private readonly waiting: string[] = [];
  private running = 0;

  constructor(private readonly work: UnitOfWork) {}

  /** The key with this hash (hex) unless it is unknown, revoked or expired. @throws HubError `unavailable` */
  find(hash: string): Promise<GoodKey | undefined> {
    const asked = this.wanted.get(hash);
    if (asked) return asked.promise;
    const answer = Promise.withResolvers<GoodKey | undefined>();
    this.wanted.set(hash, answer);
    this.waiting.push(hash);
    outsideRequest(() => this.pump());
    return answer.promise;
  }

  private pump(): void {
    while (this.running < LANES && this.waiting.length > 0) {
      this.running++;
      void this.answer(this.waiting.splice(0, KEYS_IN_ONE_STATEMENT)).finally(() => {
        this.running--;
        this.pump();
      });
    }
  }

  private async answer(hashes: readonly string[]): Promise<void> {
    try {
      const found = await this.read(hashes);
      for (const hash of hashes) this.take(hash).resolve(found.get(hash));
    } catch (error) {
      for (const hash of hashes) this.take(hash).reject(error);
    }
  }

  private take(hash: string): PromiseWithResolvers<GoodKey | undefined> {
    const answer = this.wanted.get(hash)!;
    this.wanted.delete(hash);
    return answer;
  }

  private read(hashes: readonly string[]): Promise<Map<string, GoodKey>> {
    return this.work.system(async tx => {
      const now = await tx.now();
      const rows = await tx.query<Row>(
        `SELECT encode(key.hash, 'hex') AS hash, key.workspace_id, key.id, key.scopes, key.expires_at, workspace.plan
         FROM api_keys key JOIN workspaces workspace ON workspace.id = key.workspace_id
         WHERE key.hash = ANY ($1) AND key.revoked_at IS NULL AND (key.expires_at > now()) IS NOT FALSE`,
        [hashes.map(hash => Buffer.from(hash, 'hex'))],
      );
      return new Map(rows.map(row => [row.hash, goodKey(row, now)]));
    });
  }
}

function goodKey(row: Row, now: Instant): GoodKey {
  const caller = { workspaceId: row.workspace_id, keyId: row.id, plan: row.plan, scopes: Object.freeze(row.scopes) };
  return {
    caller: Object.freeze(caller),
    validMs: row.expires_at === null ? Infinity : (row.expires_at - now) / 1000,
  };
}
