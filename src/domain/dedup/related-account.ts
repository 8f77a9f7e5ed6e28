import { stageGroup, type StageGroup } from '../properties/registry.js';

/** What a company is to us that matters before its people are written to, in order of precedence. */
export const ACCOUNT_RELATIONS = ['customer', 'open_deal'] as const;

/** One of {@link ACCOUNT_RELATIONS}. */
export type AccountRelation = (typeof ACCOUNT_RELATIONS)[number];

/** An entity of a company with its stage: the company itself, or somebody who works there. */
export interface StagedEntity {
  readonly entityId: string;
  readonly stage: string;
}

/** The relation of a company, with the entity and the stage that it follows from. */
export interface RelatedAccount extends StagedEntity {
  readonly relation: AccountRelation;
}

const RELATION_BY_GROUP: Readonly<Partial<Record<StageGroup, AccountRelation>>> = {
  customer: 'customer',
  qualification: 'open_deal',
  proposal: 'open_deal',
  negotiation: 'open_deal',
};

/**
 * Returns what a company is to us by the stages of its people and its own; undefined if none is an open deal or a
 * customer. A stage whose words say nothing is neither. Of several, the first in order of precedence counts, then the first.
 */
export function findRelatedAccount(staged: readonly StagedEntity[]): RelatedAccount | undefined {
  const related = staged.flatMap(entity => {
    const group = stageGroup(entity.stage);
    const relation = group && RELATION_BY_GROUP[group];
    return relation ? [{ ...entity, relation }] : [];
  });
  return ACCOUNT_RELATIONS.flatMap(each => related.filter(({ relation }) => relation === each))[0];
}
