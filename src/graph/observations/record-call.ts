import { newId } from '#kernel/ids.js';
import { resolveReliability } from '#domain/claims/trust.js';
import { type IdentifierFocus, parseFocus } from '#domain/identity/focus.js';
import { computeDigest } from '#domain/observation/digest.js';
import type { ObservationDraft } from '#domain/observation/observation.js';
import type { Instant } from '#domain/time/instant.js';
import type { IdempotencyKey } from '#kernel/idempotency/idempotency-key.js';
import type { Owner } from '../identity/identifiers.queries.js';
import type { OwnerMap, ResolvedEntity, EntityReference } from '../identity/identity.service.js';
import type { NewObservation } from './observations.queries.js';
import type { RecordRequest } from './record-request.js';
import type { ReconciledEntity } from './identifier-conflicts.service.js';

/** One caller's wish to record, as it waits for a transaction. */
export interface RecordCall {
  readonly request: RecordRequest;
  readonly idempotencyKey: IdempotencyKey | undefined;
  /** Owners that the caller has looked up in this very transaction. */
  readonly owners?: OwnerMap;
  /** Whom it is about, where the caller has found or made them in this very transaction. */
  readonly entity?: ResolvedEntity;
}

/** A call whose entity is known. */
export interface ReconciledCall {
  readonly call: RecordCall;
  readonly entity: ReconciledEntity;
  /** Of its first observation in the batch that it is written with, from 0. */
  readonly offset: number;
}

/** The same as rows for the log. */
export interface RecordEntry {
  readonly call: RecordCall;
  readonly entity: ReconciledEntity;
  /** One row per observation of the request, in its order. */
  readonly rows: readonly NewObservation[];
  /** Rows that the hub adds by itself; callers do not see them counted. */
  readonly derived: readonly NewObservation[];
}

/** The source under which the hub derives a company from a work e-mail address. */
const EMAIL_DOMAIN_SOURCE = 'system:email_domain';

const IDENTIFYING_FORMS = new Map<string, readonly IdentifierFocus['form'][]>([
  ['email', ['email']],
  ['linkedin_url', ['linkedin']],
  ['domain', ['domain']],
]);

/** Whom a call is about; an address that it states for them identifies them from now on. */
export function toEntityReference({ request, owners }: RecordCall): EntityReference {
  const { focus, observations, alsoKnownAs: known = [], origin } = request;
  const isCompany = focus.form === 'domain' || (focus.form === 'linkedin' && focus.entityType === 'company');
  const stated = observations.flatMap(observation =>
    findStatedIdentifiers(observation).map(id => ({ id, observation })),
  );
  const ofItsKind = stated.filter(({ id: other }) => {
    const ofCompany = other.form === 'domain' || (other.form === 'linkedin' && other.entityType === 'company');
    return ofCompany === isCompany;
  });
  if (ofItsKind.length + known.length === 0) return { focus, alsoKnownAs: [], owners };
  return {
    focus,
    owners,
    alsoKnownAs: [...known, ...ofItsKind.map(({ id }) => id)],
    reliabilityOf: (alias, rules) => {
      const says = ofItsKind.filter(({ id }) => id.form === alias.form && id.key === alias.key);
      const sources = [
        ...says.map(({ observation }) => observation),
        ...(known.includes(alias) && origin ? [origin] : []),
      ];
      return Math.max(0, ...sources.map(({ source, method }) => resolveReliability(rules, source, method).r));
    },
  };
}

function findStatedIdentifiers({ kind, property, value }: ObservationDraft): IdentifierFocus[] {
  const forms = kind === 'state' ? IDENTIFYING_FORMS.get(property) : undefined;
  if (!forms || typeof value !== 'string') return [];
  const focus = parseFocus(value);
  return forms.some(form => form === focus.form) ? [focus as IdentifierFocus] : [];
}

/**
 * Makes the rows of a call. Observations without a time of their own get the receipt plus one microsecond per place
 * in the batch, so that the later one of two wins.
 * @param place of the call's first observation in the batch that it is written with.
 */
export function toRecordEntry(
  call: RecordCall,
  entity: ReconciledEntity,
  receivedAt: Instant,
  place: number,
): RecordEntry {
  const rows = call.request.observations.map((input, i) => toRow(input, entity, receivedAt, receivedAt + place + i));
  return { call, entity, rows, derived: entity.employer ? [toEmployerRow(entity.employer.domain, entity, rows)] : [] };
}

function toRow(input: ObservationDraft, entity: Owner, receivedAt: Instant, defaultTime: Instant): NewObservation {
  const content = {
    property: input.property,
    value: input.value,
    source: input.source,
    method: input.method,
    observedAt: input.observedAt ?? defaultTime,
    externalId: input.externalId ?? null,
  };
  const digest = computeDigest(content);
  const about = { entityId: entity.id, clusterId: entity.canonicalId };
  return { ...content, ...about, id: newId(), kind: input.kind, recordedAt: receivedAt, digest, raw: input.raw };
}

/** Whether the log may hold something of a call already. */
export function hasExternalId({ call, entity }: ReconciledCall): boolean {
  return entity.employer !== undefined || call.request.observations.some(({ externalId }) => externalId != null);
}

/** The company that a work e-mail address names, known since the first thing that the call says. */
function toEmployerRow(domain: string, entity: Owner, rows: readonly NewObservation[]): NewObservation {
  const observedAt = Math.min(...rows.map(row => row.observedAt));
  return toRow(buildEmployerStatement(domain), entity, rows[0]!.recordedAt, observedAt);
}

/** What a work e-mail address says of the company of its owner. */
export function buildEmployerStatement(domain: string): ObservationDraft {
  return {
    kind: 'state',
    property: 'company',
    value: domain,
    source: EMAIL_DOMAIN_SOURCE,
    method: 'derived',
    externalId: `email_domain:${domain}`,
  };
}

/** Whether a logged row says what the caller says again; a caller that gave no time does not differ by it. */
export function isDuplicate(
  input: ObservationDraft,
  row: NewObservation,
  known: { digest: Buffer; observed_at: Instant },
) {
  const again = input.observedAt === undefined ? computeDigest({ ...row, observedAt: known.observed_at }) : row.digest;
  return known.digest.toString('hex') === again;
}
