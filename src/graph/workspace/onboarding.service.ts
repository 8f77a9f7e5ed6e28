import { Injectable } from '@nestjs/common';
import {
  profileWith,
  type ProfileWish,
  type ShownProfile,
  showProfile,
  wishedFields,
} from '#domain/facts/onboarding.js';
import { ICP, PROFILE } from '#domain/facts/sections.js';
import type { Json } from '#domain/observation/observation.js';
import { looksLikeModel } from '#domain/score/read-model.js';
import type { Caller } from '#kernel/auth/caller.js';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { Answered } from '#kernel/idempotency/answered.js';
import type { IdempotencyKey } from '#kernel/idempotency/idempotency-key.js';
import { once } from '#kernel/idempotency/kept-answers.js';
import { type FactWrite, FactsService } from '../facts/facts.service.js';
import type { WrittenFact } from '../facts/shown-facts.js';

/** What somebody says of the workspace: its profile, and the ideal customer in prose. */
export interface Onboarding extends ProfileWish {
  readonly icp?: string | undefined;
  readonly dryRun: boolean;
}

/** What was written of a section. */
export type WrittenSection = Pick<WrittenFact, 'section' | 'version' | 'changed_paths' | 'compiled'>;

/** The answer. */
export interface Onboarded {
  readonly ok: true;
  readonly workspace: ShownProfile;
  /** The sections that were written, or say the same already. */
  readonly written: readonly WrittenSection[];
  readonly dry_run?: true;
}

/** Writes what a workspace says of itself. */
@Injectable()
export class OnboardingService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly facts: FactsService,
  ) {}

  /** Sets fields of the profile, the others stay; every version is kept. */
  write({ workspaceId, keyId }: Caller, wish: Onboarding, key?: IdempotencyKey): Promise<Answered<Onboarded>> {
    return this.work.run(workspaceId, tx =>
      wish.dryRun ? this.writeIn(tx, keyId, wish) : once(tx, key, () => this.writeIn(tx, keyId, wish)),
    );
  }

  private async writeIn(tx: Tx, author: string, wish: Onboarding): Promise<Answered<Onboarded>> {
    const current = await this.facts.current(tx, [PROFILE, ICP]);
    const before = current.get(PROFILE)?.content;
    const isNamed = Object.keys(wishedFields(wish)).length > 0;
    const written: WrittenSection[] = [];
    for (const wished of [
      ...(isNamed ? [{ section: PROFILE, mode: 'append', content: profileWith(before, wish) } as const] : []),
      ...(wish.icp === undefined ? [] : [describedIn(current.get(ICP)?.content, wish.icp)]),
    ]) {
      const write: FactWrite = { ...wished, source: 'agent', confidence: 0.9, dryRun: wish.dryRun };
      written.push(short((await this.facts.writeIn(tx, author, write)).body));
    }
    const workspace = showProfile(isNamed ? profileWith(before, wish) : before);
    return new Answered({ ok: true, workspace, written, ...(wish.dryRun && { dry_run: true }) }, 200);
  }
}

/** Words about the ideal customer take the place of other words, and become the description of a model. */
function describedIn(icp: Json | undefined, text: string): Pick<FactWrite, 'section' | 'mode' | 'content'> {
  return looksLikeModel(icp)
    ? { section: ICP, mode: 'append', content: { description: text } }
    : { section: ICP, mode: 'replace', content: text };
}

function short({ section, version, changed_paths, compiled }: WrittenFact): WrittenSection {
  return { section, version, changed_paths, ...(compiled !== undefined && { compiled }) };
}
