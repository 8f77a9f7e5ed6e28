import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { defaultRules } from '#domain/claims/default-rules.js';
import type { TrustRow } from '#domain/claims/rules.js';
import { type HalfLives, halfLivesOf } from '#domain/claims/half-lives.js';
import { toIso } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/errors.js';
import { Answered } from '#kernel/idempotency/answered.js';
import type { IdempotencyKey } from '#kernel/idempotency/idempotency-key.js';
import { once } from '#kernel/idempotency/kept-answers.js';
import { RulesBook } from '../claims/rules-book.js';
import { rulesFrom } from '../claims/workspace-rules.js';
import { compareRules, type Rehearsal } from '../observations/rebuild-claims.js';
import {
  insertTrust,
  lockTrust,
  readRebuild,
  readTrust,
  type RebuildRow,
  type TrustPlace,
  type TrustVersion,
} from './trust.queries.js';

/** Two times what a process may be behind, so that nobody folds by older rules once the rebuild runs. */
const BEGINS_AFTER_SECONDS = 10;

/** A checked wish to trust otherwise. */
export interface TrustWish {
  /** Undefined: as it is. */
  readonly trust: readonly TrustRow[] | undefined;
  /** Undefined: as they are. */
  readonly halfLives: HalfLives | undefined;
  readonly note: string | null;
  readonly expectedVersion: number | undefined;
  readonly dryRun: boolean;
}

/** What a workspace trusts, as it is shown. */
export interface ShownTrust {
  /** 0: the usual rules, of which nothing was changed. */
  readonly version: number;
  /** What claims call it. */
  readonly trust_version: string;
  /** Every row that counts. */
  readonly trust: readonly TrustRow[];
  /** Those that the workspace has set. */
  readonly own: readonly TrustRow[];
  /** Days after which half of such facts have changed, by property; null for what does not age. Others have 365. */
  readonly half_lives: HalfLives;
  /** Those that the workspace has set. */
  readonly own_half_lives: HalfLives;
  readonly note: string | null;
  readonly created_at: string | null;
  readonly rebuild: ShownRebuild | null;
  /** Of a dry run: what a sample of the claims would come to. */
  readonly sample?: Rehearsal;
  readonly dry_run?: true;
}

/** How far the claims are folded by it. */
export interface ShownRebuild {
  readonly entities: number;
  readonly claims: number;
  readonly changed: number;
  /** Null while it runs. */
  readonly finished_at: string | null;
}

/** How far a workspace trusts its sources, in versions. */
@Injectable()
export class TrustService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly book: RulesBook,
  ) {}

  /** What counts now, or what a version before said. @throws HubError `invalid_request` for one that there is not. */
  read(workspace: string, place: TrustPlace): Promise<ShownTrust> {
    return this.work.run(workspace, async tx => {
      const [found, newest, rebuild] = await Promise.all([readTrust(tx, place), readTrust(tx), readRebuild(tx)]);
      const version = found?.version ?? 0;
      if (place.version !== undefined && place.version !== version) throw noVersion(newest?.version ?? 0);
      return shown(found, version === newest?.version ? rebuild : undefined);
    });
  }

  /**
   * Adds a version, 201; what is so already is not added again, 200. Claims are folded anew in the background.
   * @throws HubError `version_conflict` with what counts now.
   */
  async change(
    workspace: string,
    author: string,
    wish: TrustWish,
    key?: IdempotencyKey,
  ): Promise<Answered<ShownTrust>> {
    const answer = await this.work.run(workspace, tx =>
      wish.dryRun ? this.changeIn(tx, author, wish) : once(tx, key, () => this.changeIn(tx, author, wish)),
    );
    await this.book.refresh();
    return answer;
  }

  private async changeIn(tx: Tx, author: string, wish: TrustWish): Promise<Answered<ShownTrust>> {
    await lockTrust(tx);
    const [before, rebuild] = await Promise.all([readTrust(tx), readRebuild(tx)]);
    const current = before?.version ?? 0;
    if (wish.expectedVersion !== undefined && wish.expectedVersion !== current) {
      throw HubError.versionConflict(shown(before, rebuild));
    }
    const { trust = [], half_lives = {} } = before?.content ?? {};
    const content = { trust: wish.trust ?? trust, half_lives: wish.halfLives ?? half_lives };
    if (isDeepStrictEqual({ trust, half_lives }, content)) {
      return new Answered(shown(before, rebuild), 200);
    }
    const version = current + 1;
    if (wish.dryRun) {
      const old = before ? rulesFrom(before.content, before.version) : defaultRules;
      const sample = await compareRules(tx, old, rulesFrom(content, version));
      const rehearsed = { version, content, note: wish.note, created_at: await tx.now() };
      return new Answered({ ...shown(rehearsed, undefined), created_at: null, sample, dry_run: true }, 200);
    }
    const added = await insertTrust(tx, { version, content, note: wish.note, author }, BEGINS_AFTER_SECONDS);
    return new Answered(shown(added, await readRebuild(tx)), 201);
  }
}

function noVersion(newest: number): HubError {
  const message = `There is no such version; they go from 0, the usual rules, to ${newest}.`;
  return HubError.invalidRequest([{ field: 'version', message }]);
}

function shown(version: TrustVersion | undefined, rebuild: RebuildRow | undefined): ShownTrust {
  const rules = version ? rulesFrom(version.content, version.version) : defaultRules;
  return {
    version: version?.version ?? 0,
    trust_version: rules.version,
    trust: rules.trust.map(({ match, r, class: grade }) => ({ match, r, class: grade })),
    own: version?.content.trust ?? [],
    half_lives: halfLivesOf(rules),
    own_half_lives: version?.content.half_lives ?? {},
    note: version?.note ?? null,
    created_at: version ? toIso(version.created_at) : null,
    rebuild: rebuild ? shownRebuild(rebuild) : null,
  };
}

function shownRebuild({ entities, claims, changed, finished_at: end }: RebuildRow): ShownRebuild {
  return { entities, claims, changed, finished_at: end === null ? null : toIso(end) };
}
