import { parseFocus } from './focus.js';
import { isAutomatedSender, isFreeMail, isRoleMailbox } from './email.js';
import { haveCompatibleNames, splitName } from './names.js';
import type { EntityType, Identifier } from './types.js';

/** Reasons not to merge two entities of one identifier automatically. */
export type MergeGuard =
  | 'weak_source'
  | 'shared_mailbox'
  | 'not_same'
  | 'different_type'
  | 'different_linkedin'
  | 'different_work_email'
  | 'different_name'
  | 'shared_address';

/** Minimum reliability of a source whose statement can merge entities by itself. */
export const MIN_MERGE_RELIABILITY = 0.75;

/** One of two clusters that may be the same. */
export interface MergeSide {
  readonly type: EntityType;
  readonly identifiers: readonly Identifier[];
  /** Keys of addresses that no longer belong to the entity. */
  readonly formerEmails: ReadonlySet<string>;
  /** Names that were stated for the entity; default none. */
  readonly names?: readonly string[];
}

/** Evidence about two clusters. */
export interface MergeCandidate {
  /** The identifier that one cluster owns and that was stated for the other. */
  readonly identifier: Identifier;
  /** Reliability of that statement, 0 to 1. */
  readonly reliability: number;
  /** Whether the two were marked as different. */
  readonly isMarkedDistinct: boolean;
}

/** Returns the reasons not to merge two clusters automatically; empty if they may be merged. */
export function findMergeGuards(
  one: MergeSide,
  other: MergeSide,
  { identifier, reliability, isMarkedDistinct }: MergeCandidate,
) {
  const hasOtherName = !haveCompatibleNames(one.names ?? [], other.names ?? []);
  const guards: [MergeGuard, boolean][] = [
    ['weak_source', reliability < MIN_MERGE_RELIABILITY],
    ['shared_mailbox', isSharedMailbox(identifier)],
    ['not_same', isMarkedDistinct],
    ['different_type', one.type !== other.type],
    ['different_linkedin', areDisjoint(groupProfiles(one), groupProfiles(other))],
    ['different_work_email', areDisjoint(groupWorkEmails(one), groupWorkEmails(other))],
    ['different_name', hasOtherName],
    ['shared_address', hasOtherName && identifier.kind === 'email' && hasFullName(one) && hasFullName(other)],
  ];
  return guards.filter(([, hit]) => hit).map(([guard]) => guard);
}

/** Returns whether a person was named by more than one word. */
function hasFullName({ type, names = [] }: MergeSide): boolean {
  return type === 'person' && names.some(name => splitName(name).length > 1);
}

/** Returns whether some group has members on both sides and none in common. */
function areDisjoint(
  one: ReadonlyMap<string, readonly string[]>,
  other: ReadonlyMap<string, readonly string[]>,
): boolean {
  return [...one].some(([group, own]) => other.has(group) && !own.some(key => other.get(group)!.includes(key)));
}

/** Groups the keys of pages with a chosen name by the kind of page (`linkedin.com/in`). */
function groupProfiles({ identifiers }: MergeSide): Map<string, string[]> {
  const pages = identifiers.filter(
    ({ kind, key }) => kind === 'linkedin' && /^linkedin\.com\/(in|company)\//.test(key),
  );
  return groupPairs(pages.map(({ key }) => [key.slice(0, key.lastIndexOf('/')), key]));
}

/** Groups the keys of active work addresses by the employer's domain. */
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
