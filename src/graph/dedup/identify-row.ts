import { toIdentifier, type Identifier, type IdentifierFocus, parseFocus } from '#domain/identity/focus.js';
import { isOwnDomain } from '#domain/identity/domain.js';
import { findWorkDomain } from '#domain/identity/mailboxes.js';
import { errorTable } from '#kernel/errors/error-table.js';
import { type DedupRow, ROW_FIELDS, type RowField } from './dedup-request.js';

/** A row with at least one usable identifier. */
export interface IdentifiedRow {
  /** In the order e-mail, LinkedIn, domain; a domain identifies the row only if it has nothing else. */
  readonly identifiers: readonly Identifier[];
  /** Key of its e-mail address. */
  readonly email: string | undefined;
  /** Registrable domain whose opt-out would apply to the row. */
  readonly domain: string | undefined;
}

/** The reason why a row cannot be identified. */
export interface RowIssue {
  readonly error: 'identifier_required' | 'invalid_identifier' | 'own_domain';
  readonly detail: string;
}

const FORMS = { email: 'email', linkedin_url: 'linkedin', domain: 'domain' } as const;
const MAX_IDENTIFIER_LENGTH = 2_048;

/**
 * Parses the identifiers of a row. An invalid one is ignored if another one is valid.
 * @param ownDomains domains of the workspace itself; people there are colleagues, so the row is rejected.
 */
export function identifyRow(row: DedupRow, ownDomains: ReadonlySet<string>): IdentifiedRow | RowIssue {
  const issues: string[] = [];
  const found = ROW_FIELDS.flatMap(field => {
    const text = row.identifiers[field] ?? null;
    if (text === null || text === '') return [];
    const focus = typeof text === 'string' && text.length <= MAX_IDENTIFIER_LENGTH ? parseFocus(text) : undefined;
    if (focus && focus.form === FORMS[field]) return [focus];
    issues.push(focus?.form === 'invalid' ? focus.reason : `${field} is no ${fieldLabel(field)}.`);
    return [];
  });
  const people = found.filter(({ form }) => form !== 'domain');
  const identifiers = (people.length > 0 ? people : found).map(toIdentifier);
  if (identifiers.length === 0) {
    if (issues.length > 0) return { error: 'invalid_identifier', detail: issues[0]! };
    return {
      error: 'identifier_required',
      detail: 'A row needs email, linkedin_url or domain; names alone never match.',
    };
  }
  const mailbox = found.find(focus => focus.form === 'email');
  const site = found.find(focus => focus.form === 'domain');
  if (found.some(focus => isOwnDomain(focus as IdentifierFocus, ownDomains)))
    return { error: 'own_domain', detail: errorTable.own_domain.detail };
  return { identifiers, email: mailbox?.key, domain: site?.key ?? (mailbox && findWorkDomain(mailbox)) };
}

function fieldLabel(field: RowField): string {
  return { email: 'e-mail address', linkedin_url: 'LinkedIn address', domain: 'domain' }[field];
}
