import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/actor/actor.js';
import { listOwnDomains } from '#domain/facts/profile.js';
import { ICP_SECTION, PROFILE_SECTION } from '#domain/facts/sections.js';
import { composeModel, type IcpRuleSummary, type RawRule, summarizeRules } from '#domain/icp/compose-model.js';
import { findContradictions } from '#domain/icp/find-contradictions.js';
import { type LearnedScorecards, learnScorecards, MIN_EXAMPLES } from '#domain/icp/learn-scorecards.js';
import { parseDescription } from '#domain/icp/parse-description.js';
import { isPlainObject, type JsonValue } from '#domain/observation/observation.js';
import { roundTo4 } from '#domain/claims/confidence.js';
import type { LeadScore } from '#domain/score/score-lead.js';
import type { IcpModel } from '#domain/score/model.js';
import { isModelContent, parseModel } from '#domain/score/parse-model.js';
import { toIso } from '#domain/time/instant.js';
import type { Caller } from '#kernel/auth/caller.js';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { HandlerResponse } from '#kernel/http/response.hook.js';
import { type IdempotencyKey, runOnce } from '#kernel/idempotency/idempotency-store.js';
import { type CurrentSection, FactsService } from '../facts/facts.service.js';
import { EntityScoringService } from '../score/entity-scoring.service.js';
import { IcpExamplesService, readNewestLeads } from './icp-examples.service.js';

/** How a model scores the leads it was tried on. */
export interface Coverage {
  /** Number of leads the model was tried on. */
  readonly leads: number;
  /** Number of leads with a known Fit. */
  readonly scored: number;
  /** Average coverage of the Fit layer: the share of its rules with known facts, 0 to 1, four decimals. */
  readonly average_coverage: number;
  readonly tiers: Readonly<Record<'tier_1' | 'tier_2' | 'tier_3' | 'not_icp' | 'unknown', number>>;
}

/** The customers that rules were learned from. */
export interface LearnedFrom {
  readonly won: number;
  readonly lost: number;
  /** Area under the ROC curve on customers that were held out, 0 to 1: 0.5 is chance. */
  readonly held_out_auc: number;
}

/** Below this area under the ROC curve the examples do not tell won from lost, and nothing is learned. */
const MIN_AUC = 0.55;

/** Inputs of a model. All are optional if the section `icp` contains a description. */
export interface IcpInput {
  readonly description: string | undefined;
  /** Identifiers or names of customers that were won or lost. */
  readonly won: readonly string[];
  readonly lost: readonly string[];
  readonly rules: readonly RawRule[];
  /** Replaces an existing model. */
  readonly force: boolean;
  readonly dryRun: boolean;
}

/** Response of the endpoint that builds the model. */
export interface IcpModelResponse {
  readonly ok: true;
  readonly signals: readonly IcpRuleSummary[];
  readonly icp_model: Readonly<Record<string, JsonValue>>;
  /** Version of the section `icp`. */
  readonly version: number;
  readonly coverage_on_current_leads: Coverage;
  /** How well the examples tell won from lost; null if none were given. */
  readonly learned: LearnedFrom | null;
  readonly warnings: readonly string[];
  readonly dry_run?: true;
}

/** The model by which leads are scored now. */
export interface CurrentModelResponse {
  /** Null if the section `icp` has no model. */
  readonly icp_model: Readonly<Record<string, JsonValue>> | null;
  /** Version of the section `icp`; 0 without one. */
  readonly version: number;
  readonly updated_at: string | null;
  readonly signals: readonly IcpRuleSummary[];
  readonly coverage_on_current_leads: Coverage;
  readonly warnings: readonly string[];
}

/** Builds the model by which leads are scored, without a language model. */
@Injectable()
export class IcpService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly facts: FactsService,
    private readonly examples: IcpExamplesService,
    private readonly scores: EntityScoringService,
  ) {}

  /**
   * Builds and saves a model; with `dryRun` only builds it.
   * @throws HubError `no_gtm_context`, `model_exists`, `invalid_request` for invalid rules.
   */
  build(
    { workspaceId, actor }: Caller,
    input: IcpInput,
    key?: IdempotencyKey,
  ): Promise<HandlerResponse<IcpModelResponse>> {
    return this.work.run(workspaceId, tx =>
      input.dryRun
        ? this.buildInTransaction(tx, actor, input)
        : runOnce(tx, key, () => this.buildInTransaction(tx, actor, input)),
    );
  }

  /** Returns the model that is in use, how it classifies the newest leads, and what is wrong with it. */
  read({ workspaceId }: Caller): Promise<CurrentModelResponse> {
    return this.work.run(workspaceId, async tx => {
      const current = await this.facts.readSections(tx, [ICP_SECTION, PROFILE_SECTION]);
      const known = current.get(ICP_SECTION);
      const about = { version: known?.version ?? 0, updated_at: known ? toIso(known.updatedAt) : null };
      const read = isModelContent(known?.content) ? parseModel(known.content, known.version) : undefined;
      if (!known || !read?.ok) {
        return { icp_model: null, ...about, signals: [], coverage_on_current_leads: computeCoverage([]), warnings: [] };
      }
      const coverage = await this.measure(tx, read.model, current.get(PROFILE_SECTION)?.content);
      const content = known.content as Record<string, JsonValue>;
      return {
        icp_model: content,
        ...about,
        signals: summarizeRules(read.model, content),
        coverage_on_current_leads: coverage,
        warnings: [...findContradictions(read.model.fit).slice(0, 10), ...findCoverageWarnings(coverage)],
      };
    });
  }

  /** Tries a model on the newest leads. */
  private async measure(tx: Tx, model: IcpModel, profile: JsonValue | undefined): Promise<Coverage> {
    const own = listOwnDomains(profile);
    const sample = await this.scores.scoreWithSettings(tx, await readNewestLeads(tx), { model, own });
    return computeCoverage([...sample.values()].map(({ score }) => score));
  }

  private async buildInTransaction(tx: Tx, author: Actor, input: IcpInput): Promise<HandlerResponse<IcpModelResponse>> {
    const current = await this.facts.readSections(tx, [ICP_SECTION, PROFILE_SECTION]);
    const known = current.get(ICP_SECTION);
    if (!input.dryRun && !input.force && isModelContent(known?.content)) throw new HubError('model_exists');
    const { content, learned, warnings } = await this.composeContent(tx, input, known);
    const model = parseModelContent(content, (known?.version ?? 0) + 1);
    const coverage = await this.measure(tx, model, current.get(PROFILE_SECTION)?.content);
    const write = { section: ICP_SECTION, content, mode: 'replace', source: 'agent', confidence: 0.9 } as const;
    const { body } = await this.facts.writeInTransaction(tx, author, { ...write, dryRun: input.dryRun });
    const built = {
      ok: true,
      signals: summarizeRules(model, content),
      icp_model: content,
      version: body.version,
      coverage_on_current_leads: coverage,
      learned,
      warnings: [...findContradictions(model.fit).slice(0, 10), ...warnings, ...findCoverageWarnings(coverage)],
    } as const;
    return input.dryRun ? new HandlerResponse({ ...built, dry_run: true }, 200) : new HandlerResponse(built, 201);
  }

  private async composeContent(tx: Tx, input: IcpInput, known: CurrentSection | undefined) {
    const description = input.description ?? readDescriptionText(known?.content);
    const read = parseDescription(description ?? '');
    const { learned, warnings } = await this.learn(tx, input, read.fit);
    const isUseful = learned !== undefined && learned.heldOutAuc >= MIN_AUC;
    const { rules } = input;
    const byExamples = isUseful ? learned.rules : [];
    if (rules.length + read.fit.length + byExamples.length === 0) throw noContextError(read.unread, warnings);
    const content = composeModel({ rules, described: read.fit, learned: byExamples, pain: read.pain, description });
    const unread = read.unread.map(part => `Nothing was read in: "${part}"`);
    return {
      content,
      learned: learned ? { won: learned.won, lost: learned.lost, held_out_auc: learned.heldOutAuc } : null,
      warnings: [...(learned && !isUseful ? [describeFailure(learned)] : []), ...warnings, ...unread.slice(0, 10)],
    };
  }

  /** Learns from the customers that are named, if any are. */
  private async learn(tx: Tx, input: IcpInput, described: readonly RawRule[]) {
    if (input.won.length + input.lost.length === 0) return { learned: undefined, warnings: [] };
    const { won, lost, warnings } = await this.examples.read(tx, input);
    if (won.length < MIN_EXAMPLES || lost.length < MIN_EXAMPLES) {
      throw tooFewExamplesError(won.length, lost.length, warnings);
    }
    const wanted = described.filter(rule => rule['disqualify'] !== true);
    return { learned: learnScorecards(won, lost, wanted), warnings };
  }
}

function parseModelContent(content: Record<string, JsonValue>, version: number): IcpModel {
  const read = parseModel(content, version, 'rules');
  if (read.ok) return read.model;
  throw HubError.invalidRequest(
    read.problems.map(({ field, message }) => ({
      field: field.replace('rules.fit', 'rules'),
      message: message.replace('rules.fit', 'rules'),
    })),
  );
}

/** Returns the description in the section: the section itself if it is text, or the description of a model. */
function readDescriptionText(content: JsonValue | undefined): string | undefined {
  const description = isPlainObject(content) ? content['description'] : content;
  return typeof description === 'string' ? description : undefined;
}

function tooFewExamplesError(won: number, lost: number, warnings: readonly string[]): HubError {
  const field = won < MIN_EXAMPLES ? 'examples' : 'lost';
  const needs = `Learning needs at least ${MIN_EXAMPLES} won customers in "examples" and ${MIN_EXAMPLES} in "lost" with known facts`;
  const message = [
    `${needs}; these are ${won} and ${lost}. Name more, or describe the customer in words.`,
    ...warnings,
  ].join(' ');
  return HubError.invalidRequest([{ field, message }]);
}

function describeFailure({ heldOutAuc, won, lost }: LearnedScorecards): string {
  return (
    `Nothing was learned from the ${won} won and ${lost} lost customers: their facts do not tell them apart ` +
    `(area under the ROC curve ${heldOutAuc} on customers held out; 0.5 is chance).`
  );
}

function noContextError(unread: readonly string[], warnings: readonly string[]): HubError {
  if (unread.length === 0 && warnings.length === 0) return new HubError('no_gtm_context');
  const fix = 'Name sizes ("50 to 500 employees"), industries, countries or roles, or send rules.';
  return new HubError('no_gtm_context', { detail: `No rule could be made of this. ${fix}` });
}

function findCoverageWarnings({ leads, scored, tiers }: Coverage): string[] {
  if (leads === 0) return ['There are no leads yet to try it on.'];
  const half = leads / 2;
  return [
    ...(scored < half ? [`Of ${leads} current leads only ${scored} can be scored; the others lack the facts.`] : []),
    ...(tiers.tier_1 > half ? ['More than half of the current leads are tier 1; the model may be too wide.'] : []),
  ];
}

/** Computes the coverage of a model from the scores of a sample of leads. */
function computeCoverage(scores: readonly LeadScore[]): Coverage {
  const tiers = { tier_1: 0, tier_2: 0, tier_3: 0, not_icp: 0, unknown: 0 };
  for (const { tier } of scores) tiers[tier ?? 'unknown'] += 1;
  const sum = scores.reduce((all, { layers }) => all + layers.fit.coverage, 0);
  const average = scores.length > 0 ? roundTo4(sum / scores.length) : 0;
  return { leads: scores.length, scored: scores.length - tiers.unknown, average_coverage: average, tiers };
}
