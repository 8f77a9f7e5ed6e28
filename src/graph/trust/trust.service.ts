import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { defaultRules } from '#domain/claims/default-rules.js';
import type { TrustRow } from '#domain/claims/rules.js';
import { type HalfLives, toHalfLives } from '#domain/claims/half-lives.js';
import { toIso } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { HandlerResponse } from '#kernel/http/handler-response.js';
import type { IdempotencyKey } from '#kernel/idempotency/idempotency-key.js';
import { runOnce } from '#kernel/idempotency/idempotency-store.js';
import { RulesCache } from '../claims/rules.cache.js';
import { buildRules } from '../claims/workspace-rules.js';
import { compareRules, type RuleComparison } from '../observations/claim-rebuild.js';
import {
  insertTrustVersion,
  lockTrust,
  readRebuild,
  readTrustVersion,
  type RebuildRow,
  type TrustVersionRef,
  type TrustVersion,
} from './trust.queries.js';

/** Two times what a process may be behind, so that nobody folds by older rules once the rebuild runs. */
const REBUILD_DELAY_SECONDS = 10;

/** A checked wish to trust otherwise. */
export interface TrustInput {
  /** Undefined: as it is. */
  readonly trust: readonly TrustRow[] | undefined;
  /** Undefined: as they are. */
  readonly halfLives: HalfLives | undefined;
  readonly note: string | null;
  readonly expectedVersion: number | undefined;
  readonly dryRun: boolean;
}

/** What a workspace trusts, as it is shown. */
export interface TrustResponse {
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
  readonly rebuild: PresentedRebuild | null;
  /** Of a dry run: what a sample of the claims would come to. */
  readonly sample?: RuleComparison;
  readonly dry_run?: true;
}

/** How far the claims are folded by it. */
export interface PresentedRebuild {
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
    private readonly rules: RulesCache,
  ) {}

  /** What counts now, or what a version before said. @throws HubError `invalid_request` for one that there is not. */
  read(workspace: string, ref: TrustVersionRef): Promise<TrustResponse> {
    return this.work.run(workspace, async tx => {
      const [found, newest, rebuild] = await Promise.all([
        readTrustVersion(tx, ref),
        readTrustVersion(tx),
        readRebuild(tx),
      ]);
      const version = found?.version ?? 0;
      if (ref.version !== undefined && ref.version !== version) throw unknownVersionError(newest?.version ?? 0);
      return presentTrust(found, version === newest?.version ? rebuild : undefined);
    });
  }

  /**
   * Adds a version, 201; what is so already is not added again, 200. Claims are folded anew in the background.
   * @throws HubError `version_conflict` with what counts now.
   */
  async change(
    workspace: string,
    author: string,
    input: TrustInput,
    key?: IdempotencyKey,
  ): Promise<HandlerResponse<TrustResponse>> {
    const answer = await this.work.run(workspace, tx =>
      input.dryRun
        ? this.changeInTransaction(tx, author, input)
        : runOnce(tx, key, () => this.changeInTransaction(tx, author, input)),
    );
    await this.rules.refresh();
    return answer;
  }

  private async changeInTransaction(
    tx: Tx,
    author: string,
    input: TrustInput,
  ): Promise<HandlerResponse<TrustResponse>> {
    await lockTrust(tx);
    const [before, rebuild] = await Promise.all([readTrustVersion(tx), readRebuild(tx)]);
    const current = before?.version ?? 0;
    if (input.expectedVersion !== undefined && input.expectedVersion !== current) {
      throw HubError.versionConflict(presentTrust(before, rebuild));
    }
    const { trust = [], half_lives = {} } = before?.content ?? {};
    const content = { trust: input.trust ?? trust, half_lives: input.halfLives ?? half_lives };
    if (isDeepStrictEqual({ trust, half_lives }, content)) {
      return new HandlerResponse(presentTrust(before, rebuild), 200);
    }
    const version = current + 1;
    if (input.dryRun) {
      const old = before ? buildRules(before.content, before.version) : defaultRules;
      const sample = await compareRules(tx, old, buildRules(content, version));
      const draft = { version, content, note: input.note, created_at: await tx.now() };
      return new HandlerResponse({ ...presentTrust(draft, undefined), created_at: null, sample, dry_run: true }, 200);
    }
    const added = await insertTrustVersion(tx, { version, content, note: input.note, author }, REBUILD_DELAY_SECONDS);
    return new HandlerResponse(presentTrust(added, await readRebuild(tx)), 201);
  }
}

function unknownVersionError(newest: number): HubError {
  const message = `There is no such version; they go from 0, the usual rules, to ${newest}.`;
  return HubError.invalidRequest([{ field: 'version', message }]);
}

function presentTrust(version: TrustVersion | undefined, rebuild: RebuildRow | undefined): TrustResponse {
  const rules = version ? buildRules(version.content, version.version) : defaultRules;
  return {
    version: version?.version ?? 0,
    trust_version: rules.version,
    trust: rules.trust.map(({ match, r, class: grade }) => ({ match, r, class: grade })),
    own: version?.content.trust ?? [],
    half_lives: toHalfLives(rules),
    own_half_lives: version?.content.half_lives ?? {},
    note: version?.note ?? null,
    created_at: version ? toIso(version.created_at) : null,
    rebuild: rebuild ? presentRebuild(rebuild) : null,
  };
}

function presentRebuild({ entities, claims, changed, finished_at: end }: RebuildRow): PresentedRebuild {
  return { entities, claims, changed, finished_at: end === null ? null : toIso(end) };
}
