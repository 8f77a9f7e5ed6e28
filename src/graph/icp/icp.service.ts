import { Injectable } from '@nestjs/common';
import { ownDomainsIn } from '#domain/facts/profile.js';
import { ICP, PROFILE } from '#domain/facts/sections.js';
import { composeModel, type Signal, signalsOf } from '#domain/icp/compose.js';
import { learnRules } from '#domain/icp/learn.js';
import { type RawRule, readDescription } from '#domain/icp/read-description.js';
import { isPlainObject } from '#domain/observation/json-check.js';
import type { Json } from '#domain/observation/observation.js';
import type { IcpModel } from '#domain/score/model.js';
import { looksLikeModel, readModel } from '#domain/score/read-model.js';
import type { Caller } from '#kernel/auth/caller.js';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/errors.js';
import { Answered } from '#kernel/idempotency/answered.js';
import type { IdempotencyKey } from '#kernel/idempotency/idempotency-key.js';
import { once } from '#kernel/idempotency/kept-answers.js';
import { type CurrentSection, FactsService } from '../facts/facts.service.js';
import { ScoreService } from '../score/score.service.js';
import { ExamplesReader } from './examples.service.js';
import { type Coverage, coverageOf } from './icp-coverage.js';
import { readCurrentLeads } from './icp.queries.js';

/** What a model shall be built from; all of it may be left out where the section `icp` has words. */
export interface IcpWish {
  readonly description: string | undefined;
  /** Customers that were won, and those that were lost. */
  readonly won: readonly string[];
  readonly lost: readonly string[];
  readonly rules: readonly RawRule[];
  /** Take the place of a model that is there. */
  readonly force: boolean;
  readonly dryRun: boolean;
}

/** The answer. */
export interface BuiltModel {
  readonly ok: true;
  readonly signals: readonly Signal[];
  readonly icp_model: Readonly<Record<string, Json>>;
  /** Of the section `icp`. */
  readonly version: number;
  readonly coverage_on_current_leads: Coverage;
  readonly warnings: readonly string[];
  readonly dry_run?: true;
}

/** Builds the model that leads are scored by, without a model of language. */
@Injectable()
export class IcpService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly facts: FactsService,
    private readonly examples: ExamplesReader,
    private readonly scores: ScoreService,
  ) {}

  /** @throws HubError `no_gtm_context`, `model_exists`, `invalid_request` for rules that are none */
  build({ workspaceId, keyId }: Caller, wish: IcpWish, key?: IdempotencyKey): Promise<Answered<BuiltModel>> {
    return this.work.run(workspaceId, tx =>
      wish.dryRun ? this.buildIn(tx, keyId, wish) : once(tx, key, () => this.buildIn(tx, keyId, wish)),
    );
  }

  private async buildIn(tx: Tx, author: string, wish: IcpWish): Promise<Answered<BuiltModel>> {
    const current = await this.facts.current(tx, [ICP, PROFILE]);
    const known = current.get(ICP);
    if (!wish.dryRun && !wish.force && looksLikeModel(known?.content)) throw new HubError('model_exists');
    const { content, warnings } = await this.composed(tx, wish, known);
    const model = modelIn(content, (known?.version ?? 0) + 1);
    const own = ownDomainsIn(current.get(PROFILE)?.content);
    const tried = await this.scores.read(tx, await readCurrentLeads(tx), { model, own });
    const coverage = coverageOf([...tried.values()].map(({ score }) => score));
    const write = { section: ICP, content, mode: 'replace', source: 'agent', confidence: 0.9 } as const;
    const { body } = await this.facts.writeIn(tx, author, { ...write, dryRun: wish.dryRun });
    const built = {
      ok: true,
      signals: signalsOf(content),
      icp_model: content,
      version: body.version,
      coverage_on_current_leads: coverage,
      warnings: [...warnings, ...doubtsAbout(coverage)],
    } as const;
    return wish.dryRun ? new Answered({ ...built, dry_run: true }, 200) : new Answered(built, 201);
  }

  private async composed(tx: Tx, wish: IcpWish, known: CurrentSection | undefined) {
    const description = wish.description ?? wordsIn(known?.content);
    const read = readDescription(description ?? '');
    const { won, lost, warnings } = await this.examples.read(tx, wish);
    const learned = learnRules(won, lost);
    if (wish.rules.length + read.fit.length + learned.length === 0) throw nothingToBuildFrom(read.unread, warnings);
    const content = composeModel({ rules: wish.rules, described: read.fit, learned, pain: read.pain, description });
    const unread = read.unread.map(part => `Nothing was read in: "${part}"`);
    return { content, warnings: [...warnings, ...unread.slice(0, 10)] };
  }
}

function modelIn(content: Record<string, Json>, version: number): IcpModel {
  const read = readModel(content, version, 'rules');
  if (read.ok) return read.model;
  throw HubError.invalidRequest(
    read.problems.map(({ field, message }) => ({
      field: field.replace('rules.fit', 'rules'),
      message: message.replace('rules.fit', 'rules'),
    })),
  );
}

/** What the section says in words, as a text of its own or as the description of a model. */
function wordsIn(content: Json | undefined): string | undefined {
  const words = isPlainObject(content) ? content['description'] : content;
  return typeof words === 'string' ? words : undefined;
}

function nothingToBuildFrom(unread: readonly string[], warnings: readonly string[]): HubError {
  if (unread.length === 0 && warnings.length === 0) return new HubError('no_gtm_context');
  const mend = 'Name sizes ("50 to 500 employees"), industries, countries or roles, or send rules.';
  return new HubError('no_gtm_context', { detail: `No rule could be made of this. ${mend}` });
}

function doubtsAbout({ leads, scored, tiers }: Coverage): string[] {
  if (leads === 0) return ['There are no leads yet to try it on.'];
  const most = leads / 2;
  return [
    ...(scored < most ? [`Of ${leads} current leads only ${scored} can be scored; the others lack the facts.`] : []),
    ...(tiers.tier_1 > most ? ['More than half of the current leads are tier 1; the model may be too wide.'] : []),
  ];
}
