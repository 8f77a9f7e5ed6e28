import { toIdentifier, type Identifier, type IdentifierFocus, parseFocus } from '#domain/identity/focus.js';
import { isOwnDomain } from '#domain/identity/own-domain.js';
import { findWorkDomain } from '#domain/identity/mailboxes.js';
import { errorTable } from '#kernel/errors/error-table.js';
import { type DedupRow, ROW_FIELDS, type RowField } from './dedup-request.js';

/** A row by which somebody can be told. */
export interface IdentifiedRow {
  /** In the order address, profile, domain; a domain names the row only where nothing else does. */
  readonly identifiers: readonly Identifier[];
  /** Key of its address. */
  readonly email: string | undefined;
  /** Registrable domain whose block would reach it. */
  readonly domain: string | undefined;
}

/** Why nobody can be told by a row. */
export interface RowIssue {
  readonly error: 'identifier_required' | 'invalid_identifier' | 'own_domain';
  readonly detail: string;
}

const FORMS = { email: 'email', linkedin_url: 'linkedin', domain: 'domain' } as const;
const MAX_IDENTIFIER_LENGTH = 2_048;

/**
 * Reads the identifiers of a row. One that cannot be read is passed over as long as another can.
 * @param own domains of the workspace itself: who is there is a colleague, and neither new nor known.
 */
export function identifyRow({ texts }: DedupRow, own: ReadonlySet<string>): IdentifiedRow | RowIssue {
  const flaws: string[] = [];
  const found = ROW_FIELDS.flatMap(field => {
    const text = texts[field] ?? null;
    if (text === null || text === '') return [];
    const focus = typeof text === 'string' && text.length <= MAX_IDENTIFIER_LENGTH ? parseFocus(text) : undefined;
    if (focus && focus.form === FORMS[field]) return [focus];
    flaws.push(focus?.form === 'invalid' ? focus.reason : `${field} is no ${fieldLabel(field)}.`);
    return [];
  });
  const people = found.filter(({ form }) => form !== 'domain');
  const identifiers = (people.length > 0 ? people : found).map(toIdentifier);
  if (identifiers.length === 0) {
    if (flaws.length > 0) return { error: 'invalid_identifier', detail: flaws[0]! };
    return {
      error: 'identifier_required',
      detail: 'A row needs email, linkedin_url or domain; names alone never match.',
    };
  }
  const mailbox = found.find(focus => focus.form === 'email');
  const site = found.find(focus => focus.form === 'domain');
  if (found.some(focus => isOwnDomain(focus as IdentifierFocus, own)))
    return { error: 'own_domain', detail: errorTable.own_domain.detail };
  return { identifiers, email: mailbox?.key, domain: site?.key ?? (mailbox && findWorkDomain(mailbox)) };
}

function fieldLabel(field: RowField): string {
  return { email: 'e-mail address', linkedin_url: 'LinkedIn address', domain: 'domain' }[field];
}
