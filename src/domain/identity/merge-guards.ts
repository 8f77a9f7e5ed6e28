import { parseFocus } from './focus.js';
import { isAutomatedSender, isFreeMail, isRoleMailbox } from './mailboxes.js';
import type { EntityType, Identifier } from './types.js';

/** Why two entities that one identifier would join are not joined without being asked. */
export type Guard =
  | 'weak_source'
  | 'shared_mailbox'
  | 'not_same'
  | 'different_type'
  | 'different_linkedin'
  | 'different_work_email';

/** A source whose statements are less reliable than this joins nobody by itself. */
export const STRONG = 0.75;

/** One of two clusters that may be one. */
export interface MergeSide {
  readonly type: EntityType;
  readonly identifiers: readonly Identifier[];
  /** Keys of addresses that are known to be the entity's no longer. */
  readonly endedEmails: ReadonlySet<string>;
}

/** What there is to say about two clusters beside what they are. */
export interface MergeCase {
  /** The identifier that one owns and that was stated for the other. */
  readonly identifier: Identifier;
  /** Reliability of that statement, 0 to 1. */
  readonly reliability: number;
  /** Somebody has said that the two are not the same. */
  readonly saidApart: boolean;
}

/** Everything that speaks against joining two clusters without asking; none: they may be joined. */
export function guardsAgainst(one: MergeSide, other: MergeSide, { identifier, reliability, saidApart }: MergeCase) {
  const guards: [Guard, boolean][] = [
    ['weak_source', reliability < STRONG],
    ['shared_mailbox', isShared(identifier)],
    ['not_same', saidApart],
    ['different_type', one.type !== other.type],
    ['different_linkedin', differ(profilesOf(one), profilesOf(other))],
    ['different_work_email', differ(workEmailsOf(one), workEmailsOf(other))],
  ];
  return guards.filter(([, hit]) => hit).map(([guard]) => guard);
}

/** Whether some group has members on both sides and none in common. */
function differ(one: ReadonlyMap<string, readonly string[]>, other: ReadonlyMap<string, readonly string[]>): boolean {
  return [...one].some(([group, own]) => other.has(group) && !own.some(key => other.get(group)!.includes(key)));
}

/** Keys of pages that people choose the name of, by the kind of page (`linkedin.com/in`). */
function profilesOf({ identifiers }: MergeSide): Map<string, string[]> {
  const pages = identifiers.filter(
    ({ kind, key }) => kind === 'linkedin' && /^linkedin\.com\/(in|company)\//.test(key),
  );
  return grouped(pages.map(({ key }) => [key.slice(0, key.lastIndexOf('/')), key]));
}

/** Keys of living addresses at employers, by the employer's domain. */
function workEmailsOf({ identifiers, endedEmails }: MergeSide): Map<string, string[]> {
  const living = identifiers.filter(({ kind, key }) => kind === 'email' && !endedEmails.has(key));
  return grouped(
    living.flatMap(({ value, key }) => {
      const email = parseFocus(value);
      if (email.form !== 'email' || email.domain === null || isFreeMail(email.host)) return [];
      return isShared({ kind: 'email', value, key }) ? [] : [[email.domain, key] as const];
    }),
  );
}

function isShared({ kind, value }: Identifier): boolean {
  return kind === 'email' && (isRoleMailbox(value.slice(0, value.lastIndexOf('@'))) || isAutomatedSender(value));
}

function grouped(pairs: readonly (readonly [string, string])[]): Map<string, string[]> {
  const groups = Map.groupBy(pairs, ([group]) => group);
  return new Map([...groups].map(([group, all]) => [group, all.map(([, key]) => key)]));
}
