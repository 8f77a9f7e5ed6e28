import { setImmediate as turn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { ListScorer } from '#domain/score/list-scorer.js';
import type { IcpModel } from '#domain/score/model.js';
import { type Instant, toIso } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import type { Caller } from '#kernel/auth/caller.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { HandlerResponse } from '#kernel/http/response.hook.js';
import { type IdempotencyKey, runOnce } from '#kernel/idempotency/idempotency-store.js';
import type { JsonText } from '#kernel/http/json-parser.js';
import { mapYielding } from '#kernel/scheduling/cooperative-scheduler.js';
import { type InlineLead, readInlineLeads, type ScoreRequest } from './score-request.js';
import { ScoreListSerializer, scoreInline } from './score.serializer.js';
import { type ScoreSettings, ScoreSettingsService } from './score-settings.service.js';
import { type EntityScore, ScoreWriter } from './score.writer.js';
import { EntityScoringService } from './entity-scoring.service.js';
import {
  type ScoreResponse,
  type ScoreListResponse,
  presentScore,
  type PresentedScore,
  type UnresolvedSubject,
} from './score.presenter.js';
import { type ScoreTarget, ScoreTargetsService } from './score-targets.service.js';

/** The settings and the time of a scoring. */
interface ScoringInputs {
  readonly settings: ScoreSettings;
  readonly at: Instant;
}

/** Who scores, with what they may do. */
type ScoringCaller = Pick<Caller, 'workspaceId' | 'scopes'>;

/** What needs the scope `write`, as an error names it. */
const RECORDING = 'Recording a score (send `dry_run: true` to only compute it)';

/** Maximum number of models with a cached list scorer, of at most about 1 MB each. */
const MAX_SCORERS = 20;

/** Handles score calls: resolves the leads, scores them, and records the scores of leads in the graph. */
@Injectable()
export class ScoreService {
  /** List scorers by model, with their cached evaluations. Models are immutable, so entries need no expiry. */
  private readonly scorers = new LRUCache<IcpModel, ListScorer>({ max: MAX_SCORERS });

  constructor(
    private readonly work: UnitOfWork,
    private readonly settings: ScoreSettingsService,
    private readonly targets: ScoreTargetsService,
    private readonly scores: EntityScoringService,
    private readonly writer: ScoreWriter,
  ) {}

  /**
   * Scores one lead, or many in their order. Records the scores of leads in the graph, except with `as_of`, `known_at` or
   * `dry_run`.
   * @throws HubError `lead_not_found`, `invalid_request` for a model that the workspace does not have, `forbidden_scope` if
   *   scores would be recorded and the caller lacks the scope `write`.
   */
  async score(
    { workspaceId: workspace, scopes }: ScoringCaller,
    request: ScoreRequest,
    key?: IdempotencyKey,
  ): Promise<HandlerResponse<ScoreResponse | ScoreListResponse>> {
    const { subjects } = request;
    if (subjects.form === 'attributes') {
      const [score] = await this.scoreInline(workspace, [subjects.lead], request);
      return new HandlerResponse(score!, 200);
    }
    if (subjects.form === 'leads') {
      const results = await this.scoreInline(workspace, await readInlineLeads(subjects.leads), request);
      return new HandlerResponse({ results, persisted: false }, 200);
    }
    const useGenericPlans = shouldPersist(request);
    if (useGenericPlans && !scopes.includes('write')) throw HubError.missingScope('write', RECORDING);
    const respond = async (tx: Tx) => new HandlerResponse(await this.scoreKnown(tx, request), 200);
    return this.work.run(workspace, tx => (useGenericPlans ? runOnce(tx, key, () => respond(tx)) : respond(tx)), {
      useGenericPlans,
    });
  }

  /** Does the same as {@link score}, but serializes a list of described leads one by one, yielding to other requests. */
  async scoreToJson(
    caller: ScoringCaller,
    request: ScoreRequest,
    key?: IdempotencyKey,
  ): Promise<HandlerResponse<ScoreResponse | ScoreListResponse | JsonText>> {
    const { subjects, explain } = request;
    if (subjects.form !== 'leads') return this.score(caller, request, key);
    const pendingInputs = this.loadInputs(caller.workspaceId, request);
    // The query is sent in this turn of the event loop; the leads are validated while the database runs it.
    pendingInputs.catch(() => undefined);
    await turn();
    const leads = await readInlineLeads(subjects.leads);
    const { settings, at } = await pendingInputs;
    const list = new ScoreListSerializer(settings, this.getScorer(settings), at, explain, leads.length);
    await mapYielding(leads, lead => list.add(lead));
    return new HandlerResponse(list.end(), 200);
  }

  /** Scores entities again, by canonical ID, and records the scores that differ from the last ones. */
  async rescore(tx: Tx, entityIds: readonly string[]): Promise<void> {
    if (entityIds.length === 0) return;
    const settings = await this.settings.read(tx);
    await this.writer.write(tx, await this.scores.scoreWithSettings(tx, entityIds, settings));
  }

  private async scoreKnown(tx: Tx, request: ScoreRequest): Promise<ScoreResponse | ScoreListResponse> {
    const { subjects, asOf, knownAt, explain } = request;
    const [settings, targets] = await Promise.all([this.readSettings(tx, request), this.resolveTargets(tx, subjects)]);
    const ids = targets.flatMap(each => (isTarget(each) ? [each.entity_id] : []));
    const scores = await this.scores.scoreWithSettings(tx, ids, settings, { asOf, knownAt, explain });
    const written = shouldPersist(request) ? await this.writer.write(tx, scores) : undefined;
    const at = toIso(asOf ?? (await tx.now()));
    const results = targets.map(each => {
      if (!isTarget(each)) return each;
      const { score }: EntityScore = scores.get(each.entity_id)!;
      return { ...presentScore(score, each, at, explain), persisted: written !== undefined };
    });
    if (subjects.form !== 'identifiers') return results[0]!;
    return { results, persisted: written !== undefined && ids.length > 0 };
  }

  private async resolveTargets(
    tx: Tx,
    subjects: ScoreRequest['subjects'],
  ): Promise<(ScoreTarget | UnresolvedSubject)[]> {
    if (subjects.form === 'lead') return [await this.targets.resolveLead(tx, subjects.leadId)];
    if (subjects.form === 'identifier') return this.targets.resolveIdentifiers(tx, [subjects.identifier]);
    return subjects.form === 'identifiers' ? this.targets.resolveIdentifiers(tx, subjects.identifiers) : [];
  }

  private async scoreInline(
    workspace: string,
    leads: readonly InlineLead[],
    request: ScoreRequest,
  ): Promise<PresentedScore[]> {
    const { settings, at } = await this.loadInputs(workspace, request);
    return mapYielding(leads, lead => scoreInline(lead, settings, at, request.explain));
  }

  /**
   * Loads the inputs for described leads in a transaction of its own, so that scoring holds no connection. Does not wait
   * for its end, because a read-only transaction cannot fail to commit.
   */
  private loadInputs(workspace: string, request: ScoreRequest): Promise<ScoringInputs> {
    const { promise, resolve, reject } = Promise.withResolvers<ScoringInputs>();
    const read = this.work.run(workspace, async tx => {
      const [settings, now] = await Promise.all([this.readSettings(tx, request), tx.now()]);
      resolve({ settings, at: request.asOf ?? now });
    });
    read.catch(reject);
    return promise;
  }

  private getScorer({ model }: ScoreSettings): ListScorer {
    const known = this.scorers.get(model);
    if (known) return known;
    const scorer = new ListScorer(model);
    this.scorers.set(model, scorer);
    return scorer;
  }

  private async readSettings(
    tx: Tx,
    { modelId, asOf }: Pick<ScoreRequest, 'modelId' | 'asOf'>,
  ): Promise<ScoreSettings> {
    const settings = await this.settings.read(tx, asOf);
    if (modelId === undefined || modelId === settings.model.id) return settings;
    const message = `The workspace has no model "${modelId}"; its model is "${settings.model.id}".`;
    throw HubError.invalidRequest([{ field: 'icp_model_id', message }]);
  }
}

function isTarget(each: ScoreTarget | UnresolvedSubject): each is ScoreTarget {
  return 'entity_id' in each;
}

function shouldPersist({ asOf, knownAt, dryRun }: ScoreRequest): boolean {
  return asOf === undefined && knownAt === undefined && !dryRun;
}
