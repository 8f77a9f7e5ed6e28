import { seniorityWeight } from '../score/seniority.js';

/** A person of a company, as far as the buying committee is concerned. */
export interface CommitteeMember {
  readonly entityId: string;
  readonly name: string | null;
  readonly title: string | null;
  /** Stated role (`champion`, `decision_maker`, …); null if none was stated. */
  readonly buyingRole: string | null;
  /** Whether the person ever contacted us. */
  readonly engaged: boolean;
}

/** A person of a company in the format of responses. */
export interface Stakeholder {
  readonly entity_id: string;
  readonly name: string | null;
  /** Job title. */
  readonly role: string | null;
  /** Role in the purchase: as stated, else inferred from the title. */
  readonly committee_role?: string;
  readonly engaged: boolean;
  /** Whether `committee_role` was stated, not inferred from the title. */
  readonly confirmed: boolean;
  readonly relationships: readonly never[];
}

/** The buying committee of a company, as far as it is known. */
export interface Committee {
  readonly company: string | null;
  /** Number of known people. */
  readonly size: number;
  /** Number of people who contacted us. */
  readonly engaged: number;
  /** Whether exactly one person contacted us. */
  readonly single_threaded: boolean;
  readonly has_engaged_decision_maker: boolean;
  /** Name of the stated champion. */
  readonly champion: string | null;
  /** What the committee lacks, as sentences. */
  readonly gaps: readonly string[];
}

/** Minimum seniority weight of a decision maker, and of an influencer. */
const MIN_DECISION_MAKER_WEIGHT = 0.8;
const MIN_INFLUENCER_WEIGHT = 0.5;

/** Returns a person as a stakeholder. */
export function toStakeholder(member: CommitteeMember): Stakeholder {
  const role = inferCommitteeRole(member);
  return {
    entity_id: member.entityId,
    name: member.name,
    role: member.title,
    ...(role !== undefined && { committee_role: role }),
    engaged: member.engaged,
    confirmed: member.buyingRole !== null,
    relationships: [],
  };
}

/** Summarizes the buying committee of a company; null if nobody is known. */
export function buildCommittee(company: string | null, members: readonly CommitteeMember[]): Committee | null {
  if (members.length === 0) return null;
  const engaged = members.filter(member => member.engaged);
  const champion = members.find(member => inferCommitteeRole(member) === 'champion');
  const decides = engaged.some(member => inferCommitteeRole(member) === 'decision_maker');
  return {
    company,
    size: members.length,
    engaged: engaged.length,
    single_threaded: engaged.length === 1,
    has_engaged_decision_maker: decides,
    champion: champion ? (champion.name ?? champion.entityId) : null,
    gaps: [
      ...(engaged.length === 0 ? ['Nobody has turned to us yet.'] : []),
      ...(engaged.length === 1 ? ['Only one person has turned to us.'] : []),
      ...(decides ? [] : ['No decision maker has turned to us.']),
      ...(champion ? [] : ['No champion is known.']),
    ],
  };
}

function inferCommitteeRole({ buyingRole, title }: CommitteeMember): string | undefined {
  if (buyingRole !== null)
    return buyingRole
      .trim()
      .toLowerCase()
      .replaceAll(/[\s-]+/g, '_');
  if (title === null) return undefined;
  const share = seniorityWeight(title);
  if (share >= MIN_DECISION_MAKER_WEIGHT) return 'decision_maker';
  return share >= MIN_INFLUENCER_WEIGHT ? 'influencer' : 'user';
}
