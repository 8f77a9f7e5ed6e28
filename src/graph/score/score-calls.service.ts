import { setImmediate as turn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { ListScorer } from '#domain/score/list-scorer.js';
import type { IcpModel } from '#domain/score/model.js';
import { type Instant, toIso } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/errors.js';
import { Answered } from '#kernel/idempotency/answered.js';
import type { IdempotencyKey } from '#kernel/idempotency/idempotency-key.js';
import type { JsonText } from '#kernel/idempotency/json-text.js';
import { once } from '#kernel/idempotency/kept-answers.js';
import { mapYielding } from '#kernel/scheduling/yield.js';
import { type InlineLead, readLeads } from './inline-request.js';
import { ListText, scoreInline } from './list-text.js';
import type { ScoreRequest } from './score-request.js';
import { type ScoreSettings, ScoreSettingsReader } from './score-settings.js';
import { type EntityScore, ScoreWriter } from './score-writer.js';
import { ScoreService } from './score.service.js';
import { type ScoreAnswer, type ScoreAnswers, showScore, type ShownScore, type Unresolved } from './shown-score.js';
import { type Found, WhomService } from './whom.service.js';

/** What leads are scored by, and as of when. */
interface Terms {
  readonly settings: ScoreSettings;
  readonly at: Instant;
}

/** Models for which findings in lists are remembered, about a megabyte each at most. */
const MOST_SCORERS = 20;

/** Answers score calls: finds whom they mean, scores them, and writes the scores of those who are in the graph. */
@Injectable()
export class ScoreCalls {
  /** What was worked out for the lists of the workspaces that scored one last. */
  private readonly scorers = new LRUCache<IcpModel, ListScorer>({ max: MOST_SCORERS });

  constructor(
    private readonly work: UnitOfWork,
    private readonly settings: ScoreSettingsReader,
    private readonly whom: WhomService,
    private readonly scores: ScoreService,
    private readonly writer: ScoreWriter,
  ) {}

  /**
   * The score of one lead, or of many in their order. Only leads of the graph are written to, and only for now: with
   * `as_of`, `known_at` or `dry_run` nothing is written.
   * @throws HubError `lead_not_found`, `invalid_request` for a model that the workspace does not have.
   */
  async score(
    workspace: string,
    request: ScoreRequest,
    key?: IdempotencyKey,
  ): Promise<Answered<ScoreAnswer | ScoreAnswers>> {
    const { subjects } = request;
    if (subjects.form === 'attributes') {
      const [answer] = await this.scoreInline(workspace, [subjects.lead], request);
      return new Answered(answer!, 200);
    }
    if (subjects.form === 'leads') {
      const results = await this.scoreInline(workspace, await readLeads(subjects.leads), request);
      return new Answered({ results, persisted: false }, 200);
    }
    const answer = async (tx: Tx) => new Answered(await this.scoreKnown(tx, request), 200);
    const keepPlans = writes(request);
    return this.work.run(workspace, tx => (keepPlans ? once(tx, key, () => answer(tx)) : answer(tx)), { keepPlans });
  }

  /** The same; a list of leads that the caller described comes as text, written one by one while others get turns. */
  async tell(
    workspace: string,
    request: ScoreRequest,
    key?: IdempotencyKey,
  ): Promise<Answered<ScoreAnswer | ScoreAnswers | JsonText>> {
    const { subjects, explain } = request;
    if (subjects.form !== 'leads') return this.score(workspace, request, key);
    const asked = this.termsOf(workspace, request);
    // The question is on its way after this turn, and the leads are read while the database answers.
    asked.catch(() => undefined);
    await turn();
    const leads = await readLeads(subjects.leads);
    const { settings, at } = await asked;
    const list = new ListText(settings, this.scorerOf(settings), at, explain, leads.length);
    await mapYielding(leads, lead => list.add(lead));
    return new Answered(list.end(), 200);
  }

  private async scoreKnown(tx: Tx, request: ScoreRequest): Promise<ScoreAnswer | ScoreAnswers> {
    const { subjects, asOf, knownAt, explain } = request;
    const [settings, found] = await Promise.all([this.settingsOf(tx, request), this.foundBy(tx, subjects)]);
    const ids = found.flatMap(each => (isFound(each) ? [each.entity_id] : []));
    const scores = await this.scores.read(tx, ids, settings, { asOf, knownAt, explain });
    const written = writes(request) ? await this.writer.write(tx, scores) : undefined;
    const at = toIso(asOf ?? (await tx.now()));
    const results = found.map(each => {
      if (!isFound(each)) return each;
      const { score }: EntityScore = scores.get(each.entity_id)!;
      return { ...showScore(score, each, at, explain), persisted: written !== undefined };
    });
    if (subjects.form !== 'identifiers') return results[0]!;
    return { results, persisted: written !== undefined && ids.length > 0 };
  }

  private async foundBy(tx: Tx, subjects: ScoreRequest['subjects']): Promise<(Found | Unresolved)[]> {
    if (subjects.form === 'lead') return [await this.whom.byLead(tx, subjects.leadId)];
    if (subjects.form === 'identifier') return this.whom.byIdentifiers(tx, [subjects.identifier]);
    return subjects.form === 'identifiers' ? this.whom.byIdentifiers(tx, subjects.identifiers) : [];
  }

  private async scoreInline(
    workspace: string,
    leads: readonly InlineLead[],
    request: ScoreRequest,
  ): Promise<ShownScore[]> {
    const { settings, at } = await this.termsOf(workspace, request);
    return mapYielding(leads, lead => scoreInline(lead, settings, at, request.explain));
  }

  /**
   * What leads are scored by that are not in the graph. The transaction ends here: they keep no connection from others.
   * Nobody waits for its end, since nothing is written that could still fail.
   */
  private termsOf(workspace: string, request: ScoreRequest): Promise<Terms> {
    const { promise, resolve, reject } = Promise.withResolvers<Terms>();
    const read = this.work.run(workspace, async tx => {
      const [settings, now] = await Promise.all([this.settingsOf(tx, request), tx.now()]);
      resolve({ settings, at: request.asOf ?? now });
    });
    read.catch(reject);
    return promise;
  }

  private scorerOf({ model }: ScoreSettings): ListScorer {
    const known = this.scorers.get(model);
    if (known) return known;
    const scorer = new ListScorer(model);
    this.scorers.set(model, scorer);
    return scorer;
  }

  private async settingsOf(tx: Tx, { modelId, asOf }: Pick<ScoreRequest, 'modelId' | 'asOf'>): Promise<ScoreSettings> {
    const settings = await this.settings.read(tx, asOf);
    if (modelId === undefined || modelId === settings.model.id) return settings;
    const message = `The workspace has no model "${modelId}"; its model is "${settings.model.id}".`;
    throw HubError.invalidRequest([{ field: 'icp_model_id', message }]);
  }
}

function isFound(each: Found | Unresolved): each is Found {
  return 'entity_id' in each;
}

function writes({ asOf, knownAt, dryRun }: ScoreRequest): boolean {
  return asOf === undefined && knownAt === undefined && !dryRun;
}
