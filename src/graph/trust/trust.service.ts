import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/actor/actor.js';
import { defaultRules, type TrustRow } from '#domain/claims/rules.js';
import { type HalfLives, toHalfLives } from '#domain/claims/trust.js';
import { toIso } from '#domain/time/instant.js';
import { recordAct } from '#kernel/audit/audit-log.js';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { HandlerResponse } from '#kernel/http/response.hook.js';
import { type IdempotencyKey, runOnce } from '#kernel/idempotency/idempotency-store.js';
import { RulesCache, buildRules } from '../claims/rules.cache.js';
import { compareRules, type RuleComparison } from '../observations/claim-rebuild.js';
import {
  insertTrustVersion,
  lockTrust,
  readRebuild,
  readTrustVersion,
  type TrustVersionRef,
  type TrustVersion,
} from './trust.queries.js';
import type { ClaimRebuild } from './trust.entities.js';

/** Twice the refresh interval of the rules, so that no process folds under older rules once the rebuild runs. */
const REBUILD_DELAY_SECONDS = 10;

/** A validated change of the trust settings. */
export interface TrustInput {
  /** Undefined: unchanged. */
  readonly trust: readonly TrustRow[] | undefined;
  /** Undefined: unchanged. */
  readonly halfLives: HalfLives | undefined;
  readonly note: string | null;
  readonly expectedVersion: number | undefined;
  readonly dryRun: boolean;
}

/** Trust settings in a response. */
export interface TrustResponse {
  /** 0: the default rules, without changes. */
  readonly version: number;
  /** The version as claims store it. */
  readonly trust_version: string;
  /** All effective rows. */
  readonly trust: readonly TrustRow[];
  /** The rows that the workspace has set. */
  readonly own: readonly TrustRow[];
  /** Half-lives in days, by property; null for facts that do not age. Properties not listed have 365. */
  readonly half_lives: HalfLives;
  /** The half-lives that the workspace has set. */
  readonly own_half_lives: HalfLives;
  readonly note: string | null;
  readonly created_at: string | null;
  readonly rebuild: PresentedRebuild | null;
  /** Of a dry run: how a sample of the claims would change. */
  readonly sample?: RuleComparison;
  readonly dry_run?: true;
}

/** Progress of the claim rebuild. */
export interface PresentedRebuild {
  readonly entities: number;
  readonly claims: number;
  readonly changed: number;
  /** Null while it runs. */
  readonly finished_at: string | null;
}

/** Reads and changes how far a workspace trusts its sources, in versions. */
@Injectable()
export class TrustService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly rules: RulesCache,
  ) {}

  /** Returns the current or a past version. @throws HubError `invalid_request` for a version that does not exist. */
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
   * Adds a version (201); if nothing changes, returns the current one (200). Claims are rebuilt in the background.
   * @throws HubError `version_conflict` with the current version.
   */
  async change(
    workspace: string,
    author: Actor,
    input: TrustInput,
    key?: IdempotencyKey,
  ): Promise<HandlerResponse<TrustResponse>> {
    const response = await this.work.run(workspace, tx =>
      input.dryRun
        ? this.changeInTransaction(tx, author, input)
        : runOnce(tx, key, () => this.changeInTransaction(tx, author, input)),
    );
    await this.rules.refresh(workspace);
    return response;
  }

  private async changeInTransaction(tx: Tx, author: Actor, input: TrustInput): Promise<HandlerResponse<TrustResponse>> {
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
      const draft = { version, content, note: input.note, createdAt: await tx.now() };
      return new HandlerResponse({ ...presentTrust(draft, undefined), created_at: null, sample, dry_run: true }, 200);
    }
    recordAct(tx, {
      action: 'trust.change',
      objectId: null,
      before: { version: current, trust, half_lives },
      after: { version, ...content },
    });
    const added = await insertTrustVersion(tx, { version, content, note: input.note, author }, REBUILD_DELAY_SECONDS);
    return new HandlerResponse(presentTrust(added, await readRebuild(tx)), 201);
  }
}

function unknownVersionError(newest: number): HubError {
  const message = `version must be from 0, the default rules, to ${newest}.`;
  return HubError.invalidRequest([{ field: 'version', message }]);
}

function presentTrust(version: TrustVersion | undefined, rebuild: ClaimRebuild | undefined): TrustResponse {
  const rules = version ? buildRules(version.content, version.version) : defaultRules;
  return {
    version: version?.version ?? 0,
    trust_version: rules.version,
    trust: rules.trust.map(({ match, r, class: grade }) => ({ match, r, class: grade })),
    own: version?.content.trust ?? [],
    half_lives: toHalfLives(rules),
    own_half_lives: version?.content.half_lives ?? {},
    note: version?.note ?? null,
    created_at: version ? toIso(version.createdAt) : null,
    rebuild: rebuild ? presentRebuild(rebuild) : null,
  };
}

function presentRebuild({ entities, claims, changed, finishedAt: end }: ClaimRebuild): PresentedRebuild {
  return { entities, claims, changed, finished_at: end == null ? null : toIso(end) };
}
