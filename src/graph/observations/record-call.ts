import {
  isPlainObject,
  EVENT_PREFIX,
  type JsonValue,
  type ObservationDraft,
  MAX_BATCH_OBSERVATIONS,
  computeDigest,
} from '#domain/observation/observation.js';
import { findAboutAddress } from '#domain/claims/address-status.js';
import { canonicalEmailStatus, canonicalProperty } from '#domain/properties/registry.js';
import { parseObservations } from '#domain/observation/parse-observation.js';
import {
  type IdentifierFocus,
  isPrecise,
  parseFocus,
  type PreciseFocus,
  entityTypeOf,
  parsePhone,
  type PhoneCountry,
} from '#domain/identity/focus.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { findUnknownFields } from '#kernel/http/request-validation.js';
import { newId } from '#kernel/ids.js';
import { resolveReliability } from '#domain/claims/trust.js';
import type { Instant } from '#domain/time/instant.js';
import type { IdempotencyKey } from '#kernel/idempotency/idempotency-store.js';
import type { Owner } from '../identity/identifiers.queries.js';
import type { OwnerMap, ResolvedEntity, EntityReference } from '../identity/identity.service.js';
import type { NewObservation } from './observations.queries.js';
import type { ReconciledEntity } from './identifier-conflicts.service.js';
import type { Authored } from './author.js';

/**
 * Returns an observation with canonical names. A state gets its canonical property, and an e-mail status its canonical
 * value. An event keeps its property; its event type is derived on read. A `linkedin_message` gets its `direction` from
 * `raw.is_outbound`.
 */
export function canonicalizeObservation(input: ObservationDraft): ObservationDraft {
  if (input.kind === 'event') return addDirection(input);
  const property = canonicalProperty(input.property);
  if (property === 'email_status' && typeof input.value === 'string') {
    return { ...input, property, value: canonicalEmailStatus(input.value) };
  }
  return property === input.property ? input : { ...input, property };
}

function addDirection(input: ObservationDraft): ObservationDraft {
  if (input.property !== `${EVENT_PREFIX}linkedin_message`) return input;
  const isOutbound = input.raw?.['is_outbound'];
  const details: JsonValue = input.value ?? {};
  if (typeof isOutbound !== 'boolean' || !isPlainObject(details) || 'direction' in details) return input;
  return { ...input, value: { ...details, direction: isOutbound ? 'outbound' : 'inbound' } };
}

/** A validated request to record observations, with canonical names. */
export interface RecordRequest extends Authored {
  readonly focus: PreciseFocus;
  readonly observations: readonly ObservationDraft[];
  /** Identifiers of the same entity that the observations do not state. */
  readonly alsoKnownAs?: readonly IdentifierFocus[];
  /** Source and method of the statement that these identifiers belong to one entity. */
  readonly origin?: Pick<ObservationDraft, 'source' | 'method'>;
}

const FIELDS = ['focus', 'observations'];

/**
 * Reads the body of a record call from REST, MCP or a plugin. Observations are checked by hand-written domain code:
 * class-validator would take longer for 1,000 of them than writing them.
 * @throws HubError naming every invalid field; the whole batch is rejected.
 */
export function readRecordRequest(body: unknown): RecordRequest {
  const { focus, observations, ...rest } = requireBody(body);
  const unknown = findUnknownFields(rest, FIELDS);
  if (unknown.length > 0) throw HubError.invalidRequest(unknown);
  if (typeof focus !== 'string' || focus.trim() === '' || observations === undefined) {
    throw new HubError('focus_and_observations_required');
  }
  return { focus: parsePreciseFocus(focus), observations: parseObservationList(observations) };
}

function requireBody(body: unknown): Record<string, JsonValue> {
  if (body !== null && typeof body === 'object' && !Array.isArray(body)) return body as Record<string, JsonValue>;
  throw new HubError('focus_and_observations_required');
}

/** Parses a focus that identifies one entity. @throws HubError `invalid_focus` for a bare name or invalid text. */
export function parsePreciseFocus(text: unknown): PreciseFocus {
  const focus = typeof text === 'string' ? parseFocus(text) : undefined;
  if (focus && isPrecise(focus)) return focus;
  throw HubError.invalidFocus(focus?.form === 'invalid' ? focus.reason : undefined);
}

function parseObservationList(raw: unknown): ObservationDraft[] {
  const read = parseObservations(raw, Date.now() * 1000);
  if (read.ok) return read.observations.map(canonicalizeObservation);
  if (read.tooMany !== undefined) throw HubError.batchTooLarge('observations', MAX_BATCH_OBSERVATIONS);
  throw HubError.invalidRequest(read.problems);
}

/** A record call that waits for a transaction. */
export interface RecordCall {
  readonly request: RecordRequest;
  readonly idempotencyKey: IdempotencyKey | undefined;
  /** Owners that the caller has looked up in this transaction. */
  readonly owners?: OwnerMap;
  /** The entity, if the caller has found or created it in this transaction. */
  readonly entity?: ResolvedEntity;
}

/** A call with its resolved entity. */
export interface ReconciledCall {
  readonly call: RecordCall;
  readonly entity: ReconciledEntity;
  /** The observations of the request, with the methods that they are stored with. */
  readonly observations: readonly ObservationDraft[];
  /** Index of its first observation in the batch, from 0. */
  readonly offset: number;
}

/** A call as rows of the log. */
export interface RecordEntry {
  readonly call: RecordCall;
  readonly entity: ReconciledEntity;
  /** One row per observation of the request, in order. */
  readonly rows: readonly NewObservation[];
  /** Rows that the hub adds; responses do not count them. */
  readonly derived: readonly NewObservation[];
}

/** Source of companies that are derived from a work e-mail address. */
const EMAIL_DOMAIN_SOURCE = 'system:email_domain';

const IDENTIFYING_FORMS = new Map<string, readonly IdentifierFocus['form'][]>([
  ['email', ['email']],
  ['linkedin_url', ['linkedin']],
  ['domain', ['domain']],
]);

/** Properties that only people have. */
const PERSON_PROPERTIES: ReadonlySet<string> = new Set(
  'name first_name last_name title seniority department linkedin_url'.split(' '),
);

/**
 * Returns the reference of a call's entity. Identifiers in its observations become aliases of the entity.
 * @param country country of phone numbers without a country code.
 */
export function toEntityReference({ request, owners }: RecordCall, country: PhoneCountry | undefined): EntityReference {
  const { focus, observations, alsoKnownAs: known = [], origin } = request;
  const type = focus.form === 'uuid' ? 'person' : entityTypeOf(focus);
  const stated = observations.flatMap(observation =>
    findStatedIdentifiers(observation, country).map(id => ({ id, observation })),
  );
  const sameType = stated.filter(({ id }) => entityTypeOf(id) === type);
  const isPerson = observations.some(({ property }) => PERSON_PROPERTIES.has(property));
  if (sameType.length + known.length === 0) return { focus, alsoKnownAs: [], owners, isPerson };
  return {
    focus,
    owners,
    isPerson,
    alsoKnownAs: [...known, ...sameType.map(({ id }) => id)],
    reliabilityOf: (alias, rules) => {
      const stating = sameType.filter(({ id }) => id.form === alias.form && id.key === alias.key);
      const sources = [
        ...stating.map(({ observation }) => observation),
        ...(known.includes(alias) && origin ? [origin] : []),
      ];
      return Math.max(0, ...sources.map(({ source, method }) => resolveReliability(rules, source, method).r));
    },
  };
}

/** Returns the identifiers that an observation states. @param country country of phone numbers without a country code. */
export function findStatedIdentifiers(
  { kind, property, value }: ObservationDraft,
  country: PhoneCountry | undefined,
): IdentifierFocus[] {
  if (kind === 'state' && (property === 'phone' || property === 'phones')) return findStatedPhones(value, country);
  const forms = kind === 'state' ? IDENTIFYING_FORMS.get(property) : undefined;
  if (!forms || typeof value !== 'string') return [];
  const focus = parseFocus(value);
  return forms.some(form => form === focus.form) ? [focus as IdentifierFocus] : [];
}

function findStatedPhones(value: JsonValue, country: PhoneCountry | undefined): IdentifierFocus[] {
  return [value].flat().flatMap(member => {
    const phone = typeof member === 'string' ? parsePhone(member, country) : undefined;
    return phone?.form === 'phone' ? [phone] : [];
  });
}

/**
 * Builds the rows of a call. An observation without a time gets the time of receipt plus one microsecond per position
 * in the batch, so that the later of two wins.
 */
export function toRecordEntry(
  { call, entity, observations, offset: place }: ReconciledCall,
  receivedAt: Instant,
): RecordEntry {
  const { focus } = call.request;
  const address = focus.form === 'email' ? focus.key : undefined;
  const rows = observations.map((input, i) => ({
    ...toRow(input, entity, receivedAt, receivedAt + place + i),
    aboutAddress: findAboutAddress(input, address, observations) ?? null,
  }));
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

/** Builds the row of the employer, observed with the earliest observation of the call. */
function toEmployerRow(domain: string, entity: Owner, rows: readonly NewObservation[]): NewObservation {
  const observedAt = Math.min(...rows.map(row => row.observedAt));
  return toRow(buildEmployerStatement(domain), entity, rows[0]!.recordedAt, observedAt);
}

/** Returns the statement about the company of a work e-mail address. */
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

/** Returns whether a logged row has the same content. If the caller gave no time, times are not compared. */
export function isDuplicate(
  input: ObservationDraft,
  row: NewObservation,
  known: { digest: Buffer; observed_at: Instant },
) {
  const again = input.observedAt === undefined ? computeDigest({ ...row, observedAt: known.observed_at }) : row.digest;
  return known.digest.toString('hex') === again;
}
