import { seniorityWeight } from '#domain/score/seniority.js';

/** A person of a company, as far as buying goes. */
export interface CommitteeMember {
  readonly entityId: string;
  readonly name: string | null;
  readonly title: string | null;
  /** What was stated of them (`champion`, `decision_maker`, …); null where nobody said. */
  readonly buyingRole: string | null;
  /** Whether they ever turned to us. */
  readonly engaged: boolean;
}

/** A person of a company, as answers show them. */
export interface Stakeholder {
  readonly entity_id: string;
  readonly name: string | null;
  /** Their title. */
  readonly role: string | null;
  /** What they are to the purchase: as stated, else what their title tells. */
  readonly committee_role?: string;
  readonly engaged: boolean;
  /** Whether `committee_role` was stated, and not told from the title. */
  readonly confirmed: boolean;
  readonly relationships: readonly never[];
}

/** Who decides at a company, as far as it is known. */
export interface Committee {
  readonly company: string | null;
  /** People that are known. */
  readonly size: number;
  /** Those who turned to us. */
  readonly engaged: number;
  /** Only one did. */
  readonly single_threaded: boolean;
  readonly has_engaged_decision_maker: boolean;
  /** Name of the one who is stated to be for us. */
  readonly champion: string | null;
  /** What is missing, in words. */
  readonly gaps: readonly string[];
}

/** From this share of a purchase on somebody decides, or has a say. */
const MIN_DECISION_MAKER_WEIGHT = 0.8;
const MIN_INFLUENCER_WEIGHT = 0.5;

/** A person as a stakeholder. */
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

/** What the people of a company are together; null when none is known. */
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
