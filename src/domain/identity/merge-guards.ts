import { parseFocus } from './focus.js';
import { isAutomatedSender, isFreeMail, isRoleMailbox } from './mailboxes.js';
import type { EntityType, Identifier } from './types.js';

/** Why two entities that one identifier would join are not joined without being asked. */
export type MergeGuard =
  | 'weak_source'
  | 'shared_mailbox'
  | 'not_same'
  | 'different_type'
  | 'different_linkedin'
  | 'different_work_email';

/** A source whose statements are less reliable than this joins nobody by itself. */
export const MIN_MERGE_RELIABILITY = 0.75;

/** One of two clusters that may be one. */
export interface MergeSide {
  readonly type: EntityType;
  readonly identifiers: readonly Identifier[];
  /** Keys of addresses that are known to be the entity's no longer. */
  readonly formerEmails: ReadonlySet<string>;
}

/** What there is to say about two clusters beside what they are. */
export interface MergeCandidate {
  /** The identifier that one owns and that was stated for the other. */
  readonly identifier: Identifier;
  /** Reliability of that statement, 0 to 1. */
  readonly reliability: number;
  /** Somebody has said that the two are not the same. */
  readonly isMarkedDistinct: boolean;
}

/** Everything that speaks against joining two clusters without asking; none: they may be joined. */
export function findMergeGuards(
  one: MergeSide,
  other: MergeSide,
  { identifier, reliability, isMarkedDistinct }: MergeCandidate,
) {
  const guards: [MergeGuard, boolean][] = [
    ['weak_source', reliability < MIN_MERGE_RELIABILITY],
    ['shared_mailbox', isSharedMailbox(identifier)],
    ['not_same', isMarkedDistinct],
    ['different_type', one.type !== other.type],
    ['different_linkedin', areDisjoint(groupProfiles(one), groupProfiles(other))],
    ['different_work_email', areDisjoint(groupWorkEmails(one), groupWorkEmails(other))],
  ];
  return guards.filter(([, hit]) => hit).map(([guard]) => guard);
}

/** Whether some group has members on both sides and none in common. */
function areDisjoint(
  one: ReadonlyMap<string, readonly string[]>,
  other: ReadonlyMap<string, readonly string[]>,
): boolean {
  return [...one].some(([group, own]) => other.has(group) && !own.some(key => other.get(group)!.includes(key)));
}

/** Keys of pages that people choose the name of, by the kind of page (`linkedin.com/in`). */
function groupProfiles({ identifiers }: MergeSide): Map<string, string[]> {
  const pages = identifiers.filter(
    ({ kind, key }) => kind === 'linkedin' && /^linkedin\.com\/(in|company)\//.test(key),
  );
  return groupPairs(pages.map(({ key }) => [key.slice(0, key.lastIndexOf('/')), key]));
}

/** Keys of living addresses at employers, by the employer's domain. */
function groupWorkEmails({ identifiers, formerEmails }: MergeSide): Map<string, string[]> {
  const living = identifiers.filter(({ kind, key }) => kind === 'email' && !formerEmails.has(key));
  return groupPairs(
    living.flatMap(({ value, key }) => {
      const email = parseFocus(value);
      if (email.form !== 'email' || email.domain === null || isFreeMail(email.host)) return [];
      return isSharedMailbox({ kind: 'email', value, key }) ? [] : [[email.domain, key] as const];
    }),
  );
}

function isSharedMailbox({ kind, value }: Identifier): boolean {
  return kind === 'email' && (isRoleMailbox(value.slice(0, value.lastIndexOf('@'))) || isAutomatedSender(value));
}

function groupPairs(pairs: readonly (readonly [string, string])[]): Map<string, string[]> {
  const groups = Map.groupBy(pairs, ([group]) => group);
  return new Map([...groups].map(([group, all]) => [group, all.map(([, key]) => key)]));
}
