import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/actor/actor.js';
import {
  mergeProfile,
  type ProfileInput,
  type ProfileFields,
  toProfileFields,
  changedFields,
} from '#domain/facts/profile.js';
import { ICP_SECTION, PROFILE_SECTION } from '#domain/facts/sections.js';
import type { JsonValue } from '#domain/observation/observation.js';
import { isModelContent } from '#domain/score/parse-model.js';
import type { Caller } from '#kernel/auth/caller.js';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HandlerResponse } from '#kernel/http/response.hook.js';
import { type IdempotencyKey, runOnce } from '#kernel/idempotency/idempotency-store.js';
import { type FactWrite, FactsService } from '../facts/facts.service.js';
import type { FactWriteResponse } from '../facts/facts.presenter.js';

/** Input of the profile: its fields, and the ideal customer in prose. */
export interface OnboardingInput extends ProfileInput {
  readonly icp?: string | undefined;
  readonly dryRun: boolean;
}

/** A written section with its new version. */
export type WrittenSection = Pick<FactWriteResponse, 'section' | 'version' | 'changed_paths' | 'compiled'>;

/** Response of updating the profile. */
export interface OnboardingResponse {
  readonly ok: true;
  readonly workspace: ProfileFields;
  /** The sections that were written or already had this content. */
  readonly written: readonly WrittenSection[];
  readonly dry_run?: true;
}

/** Updates the profile of a workspace. */
@Injectable()
export class OnboardingService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly facts: FactsService,
  ) {}

  /** Updates the given fields of the profile as a new version. Other fields are unchanged. */
  write(
    { workspaceId, actor }: Caller,
    input: OnboardingInput,
    key?: IdempotencyKey,
  ): Promise<HandlerResponse<OnboardingResponse>> {
    return this.work.run(workspaceId, tx =>
      input.dryRun
        ? this.writeInTransaction(tx, actor, input)
        : runOnce(tx, key, () => this.writeInTransaction(tx, actor, input)),
    );
  }

  private async writeInTransaction(
    tx: Tx,
    author: Actor,
    input: OnboardingInput,
  ): Promise<HandlerResponse<OnboardingResponse>> {
    const current = await this.facts.readSections(tx, [PROFILE_SECTION, ICP_SECTION]);
    const before = current.get(PROFILE_SECTION)?.content;
    const hasChanges = Object.keys(changedFields(input)).length > 0;
    const written: WrittenSection[] = [];
    for (const change of [
      ...(hasChanges
        ? [{ section: PROFILE_SECTION, mode: 'append', content: mergeProfile(before, input) } as const]
        : []),
      ...(input.icp === undefined ? [] : [toIcpChange(current.get(ICP_SECTION)?.content, input.icp)]),
    ]) {
      const write: FactWrite = { ...change, source: 'agent', confidence: 0.9, dryRun: input.dryRun };
      written.push(toWrittenSection((await this.facts.writeInTransaction(tx, author, write)).body));
    }
    const workspace = toProfileFields(hasChanges ? mergeProfile(before, input) : before);
    return new HandlerResponse({ ok: true, workspace, written, ...(input.dryRun && { dry_run: true }) }, 200);
  }
}

/** Returns the change of the section `icp`: replaces prose, or sets the description of a model. */
function toIcpChange(icp: JsonValue | undefined, text: string): Pick<FactWrite, 'section' | 'mode' | 'content'> {
  return isModelContent(icp)
    ? { section: ICP_SECTION, mode: 'append', content: { description: text } }
    : { section: ICP_SECTION, mode: 'replace', content: text };
}

function toWrittenSection({ section, version, changed_paths, compiled }: FactWriteResponse): WrittenSection {
  return { section, version, changed_paths, ...(compiled !== undefined && { compiled }) };
}
