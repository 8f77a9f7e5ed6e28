import { createHash } from 'node:crypto';
import type { Focus, Json, ObservationInput, PersonInput } from '@rapport/plugin-sdk';
import { type Mapping, mapRow, type MappedRow } from '../mapping/row.js';
import type { DataRow } from '../reading/rows.js';
import type { Target } from './import-store.js';

/** Systems whose record IDs identify a person. */
export const RECORD_SYSTEMS = ['hubspot', 'pipedrive', 'apollo', 'attio'] as const;

/** A system whose record IDs identify a person. */
export type RecordSystem = (typeof RECORD_SYSTEMS)[number];

/** What rows become. */
export interface CandidateOptions {
  readonly target: Target;
  readonly mapping: Mapping;
  /** System of the column `record_id`; null if IDs identify nobody. */
  readonly recordSystem: RecordSystem | null;
  /** Time of rows without one of their own, ISO 8601. */
  readonly fileDate: string;
  /** Columns that state nothing and are kept with the lead; none for other targets. */
  readonly leadColumns: readonly { readonly index: number; readonly header: string }[];
}

/** A note to write. */
export interface CandidateNote {
  readonly title: string;
  readonly content: string;
  readonly date: string;
  readonly external_id: string;
}

/** What one row writes. */
export interface Candidate {
  readonly row: DataRow;
  /** What identifies the entity, the most precise first; at least one. */
  readonly focuses: readonly [Focus, ...Focus[]];
  /** The person; null if the row only states a company, or only a note. */
  readonly person: PersonInput | null;
  readonly observedAt: string;
  /** The company, by its domain; null if the row states none. */
  readonly company: { readonly focus: string; readonly observations: readonly ObservationInput[] } | null;
  /** Events of the person. */
  readonly events: readonly ObservationInput[];
  readonly note: CandidateNote | null;
  /** Values that are kept with the lead; null if the row adds none. */
  readonly leadFields: Readonly<Record<string, string>> | null;
}

/** A row that is not imported, and why. */
export interface Rejection {
  readonly row: DataRow;
  readonly field: string | null;
  readonly error: string;
}

const MAX_TITLE_LENGTH = 80;

/** Tells rejected rows from others. */
export function isRejection(read: Candidate | Rejection): read is Rejection {
  return 'error' in read;
}

/** Tells rows that can be written from others. */
export function isCandidate(read: Candidate | Rejection): read is Candidate {
  return !('error' in read);
}

/** Turns a row into what it writes. Rows without a precise identifier are rejected, never guessed. */
export function toCandidate(row: DataRow, options: CandidateOptions): Candidate | Rejection {
  if (row.problem !== undefined) return { row, field: null, error: row.problem };
  const result = mapRow(row.cells, options.mapping);
  if ('problems' in result) {
    const [first] = result.problems;
    return { row, field: first!.field, error: result.problems.map(({ message }) => message).join(' ') };
  }
  return options.target === 'companies'
    ? toCompanyCandidate(row, result.row, options)
    : toPersonCandidate(row, result.row, options);
}

function toPersonCandidate(row: DataRow, mapped: MappedRow, options: CandidateOptions): Candidate | Rejection {
  const { emails, phones, linkedinUrl, recordId, person, own, note } = mapped;
  const { recordSystem, target } = options;
  const record = recordId !== null && recordSystem !== null ? { system: recordSystem, id: recordId } : null;
  const focuses: Focus[] = [
    ...emails,
    ...(linkedinUrl === null ? [] : [linkedinUrl]),
    ...(record ? [{ external: record }] : []),
  ];
  const [first, ...others] = focuses;
  if (first === undefined) {
    const error =
      'The row has no e-mail address or LinkedIn profile, so nobody can be identified. Add one; a name is not enough.';
    return { row, field: 'email', error };
  }
  if (target === 'notes' && note === null) return { row, field: 'note', error: 'The row has no note.' };
  const observedAt = mapped.observedAt ?? options.fileDate;
  const [email, ...furtherEmails] = emails;
  const [phone] = phones;
  return {
    row,
    focuses: [first, ...others],
    observedAt,
    person:
      target === 'notes'
        ? null
        : {
            ...own,
            ...person,
            ...(email !== undefined && { email }),
            ...(furtherEmails.length > 0 && { emails: furtherEmails }),
            ...(linkedinUrl !== null && { linkedin_url: linkedinUrl }),
            ...(record && { [`${record.system}_id`]: record.id }),
            ...(phone !== undefined && { phone }),
            ...(phones.length > 1 && { phones }),
          },
    company: target === 'notes' ? null : toCompany(mapped, observedAt),
    events: mapped.connectedAt === null || target === 'notes' ? [] : [toConnection(mapped.connectedAt)],
    note: note === null ? null : toNote(note, mapped.noteDate ?? observedAt.slice(0, 10)),
    leadFields: target === 'leads' ? readLeadFields(row, options) : null,
  };
}

/** Returns the cells of columns without a field, by header; columns of one name are joined. */
function readLeadFields({ cells }: DataRow, { leadColumns }: CandidateOptions): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const { index, header } of leadColumns) {
    const cell = cells[index]?.trim();
    if (cell) fields[header] = header in fields ? `${fields[header]}; ${cell}` : cell;
  }
  return fields;
}

function toCompanyCandidate(row: DataRow, mapped: MappedRow, { fileDate }: CandidateOptions): Candidate | Rejection {
  const { companyDomain, person, note } = mapped;
  const observedAt = mapped.observedAt ?? fileDate;
  const profile = mapped.company['linkedin_url'];
  const focus = companyDomain ?? (typeof profile === 'string' ? profile : null);
  if (focus === null) {
    const error = 'The row has no domain or LinkedIn page of a company. Add one; a name is not enough.';
    return { row, field: 'company_domain', error };
  }
  const name = mapped.company['name'] ?? person['name'];
  const place = { ...pick(person, ['city', 'country', 'location', 'stage', 'owner', 'keywords']) };
  const facts = { ...mapped.own, ...place, ...mapped.company, ...(name !== undefined && { name }) };
  const company = { focus, observations: toStates(facts, observedAt) };
  const saved = note === null ? null : toNote(note, mapped.noteDate ?? observedAt.slice(0, 10));
  return { row, focuses: [focus], observedAt, person: null, company, events: [], note: saved, leadFields: null };
}

function toCompany({ companyDomain, company }: MappedRow, observedAt: string): Candidate['company'] {
  const observations = toStates(company, observedAt);
  return companyDomain === null || observations.length === 0 ? null : { focus: companyDomain, observations };
}

function toStates(facts: Readonly<Record<string, Json>>, observedAt: string): ObservationInput[] {
  return Object.entries(facts).map(([property, value]) => ({
    kind: 'state' as const,
    property,
    value,
    observed_at: observedAt,
    external_id: digest(property, JSON.stringify(value), observedAt),
  }));
}

/** History: the method `import` publishes no event. */
function toConnection(connectedAt: string): ObservationInput {
  return {
    kind: 'event',
    property: 'interaction.connection_accepted',
    method: 'import',
    observed_at: connectedAt,
    external_id: digest('connection', connectedAt),
    value: { description: 'Connected on LinkedIn.' },
  };
}

function toNote(content: string, date: string): CandidateNote {
  const title = content.split('\n', 1)[0]!.slice(0, MAX_TITLE_LENGTH).trim() || 'Imported note';
  return { title, content, date, external_id: digest('note', content, date) };
}

function pick(facts: Readonly<Record<string, Json>>, names: readonly string[]): Record<string, Json> {
  return Object.fromEntries(Object.entries(facts).filter(([name]) => names.includes(name)));
}

function digest(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22);
}
