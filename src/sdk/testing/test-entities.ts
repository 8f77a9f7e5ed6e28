import type { Json, JsonObject } from '../schema.js';
import { PermanentError } from '../errors.js';
import type { Focus, InteractionRecord, InteractionsOptions } from '../ports/graph-port.js';
import type { PersonSummary } from '../ports/people-port.js';

/** A parsed focus. The rules are simpler than those of the hub. */
export interface TestFocus {
  readonly form: 'id' | 'email' | 'linkedin' | 'domain' | 'phone' | 'external' | 'name';
  /** Equal for focuses that identify the same entity. */
  readonly key: string;
  /** Type of the entity that a write creates. */
  readonly type?: 'person' | 'company';
}

const EXTERNAL_KEY = /^external:(?:person|company):([^:]+):(.*)$/s;
const SYSTEM = /^[a-z][a-z0-9_.-]{0,63}$/;

/** Parses the focus of a call. @throws PermanentError for an object that is no focus */
export function readFocus(focus: Focus): TestFocus {
  if (typeof focus === 'object') return readObject(focus);
  const plain = String(focus).trim().toLowerCase();
  if (/^(?:tel:|\+)[0-9+ ()./-]+$/.test(plain)) return { form: 'phone', key: toPhoneKey(plain) };
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(plain)) return { form: 'id', key: plain };
  const profile = /linkedin\.com\/(in|company)\/([^/?#]+)/.exec(plain);
  if (profile) {
    const type = profile[1] === 'company' ? 'company' : 'person';
    return { form: 'linkedin', key: `linkedin:${profile[2]}`, type };
  }
  if (/^[^@\s]+@[^@\s][^@\s.]*\.[^@\s]+$/.test(plain)) return { form: 'email', key: plain };
  const domain = /^(?:https?:\/\/)?(?:www\.)?([a-z0-9-]+(?:\.[a-z0-9-]+)+)(?:\/.*)?$/.exec(plain);
  return domain ? { form: 'domain', key: domain[1]! } : { form: 'name', key: plain.replaceAll(/\s+/g, ' ') };
}

function readObject(focus: Exclude<Focus, string>): TestFocus {
  if ('phone' in focus && typeof focus.phone === 'string') return { form: 'phone', key: toPhoneKey(focus.phone) };
  if ('external' in focus && SYSTEM.test(focus.external.system) && String(focus.external.id).trim() !== '') {
    const { system, id, type = 'person' } = focus.external;
    return { form: 'external', key: `external:${type}:${system}:${String(id).trim()}`, type };
  }
  throw new PermanentError('A focus is a text, {external: {system, id}} with a system in lower case, or {phone}.');
}

function toPhoneKey(text: string): string {
  return `tel:${text.replaceAll(/[^0-9+]/g, '')}`;
}

/** A person or company in the test graph. */
export interface TestEntity {
  readonly id: string;
  readonly type: 'person' | 'company';
  readonly keys: Set<string>;
  name: string | null;
  email: string | null;
}

/**
 * An observation in the test graph.
 * @example expect(hub.timeline('ada@acme.io')[0]?.external_id).toBe('acme:c-1');
 */
export interface TestObservation {
  readonly id: string;
  readonly entity_id: string;
  /** Label of the entity for messages: its e-mail address, name or ID. */
  readonly subject: string;
  readonly kind: 'event' | 'state';
  readonly property: string;
  readonly value: Json;
  readonly source: string;
  readonly method: string;
  /** ISO 8601, UTC. */
  readonly observed_at: string;
  /** Time at which it was appended; ISO 8601, UTC. */
  readonly recorded_at: string;
  readonly external_id?: string;
  readonly raw?: JsonObject;
}

/**
 * A note in the test graph.
 * @example expect(hub.graph.notes).toMatchObject([{ title: 'Demo call' }]);
 */
export interface TestNote {
  readonly id: string;
  readonly entity_id: string;
  readonly type: string;
  readonly title: string;
  readonly content: string;
  readonly date: string;
  readonly source: string;
  readonly external_id?: string;
}

/** Resolves and creates entities by their identifiers. */
export class TestEntities {
  private readonly all: TestEntity[] = [];
  private created = 0;

  /** Finds the entities that a focus identifies; only a bare name can match several. */
  find(focus: Focus): TestEntity[] {
    const { form, key } = readFocus(focus);
    if (form === 'name') return this.all.filter(({ name }) => name?.toLowerCase() === key);
    return this.all.filter(({ id, keys }) => (form === 'id' ? id === key : keys.has(key)));
  }

  /** Finds the entity that the focuses identify, or creates it. Returns undefined for a bare name or an unknown ID. */
  findOrCreate(focuses: readonly Focus[]): TestEntity | undefined {
    const parsed = focuses.map(readFocus);
    const known = focuses.flatMap(focus => this.find(focus))[0];
    if (parsed.some(({ form }) => form === 'name') || (!known && parsed.some(({ form }) => form === 'id')))
      return undefined;
    const entity =
      known ??
      this.create(parsed.every(({ form, type }) => form === 'domain' || type === 'company') ? 'company' : 'person');
    for (const { form, key } of parsed) {
      if (form !== 'id') entity.keys.add(key);
      if (form === 'email') entity.email ??= key;
    }
    return entity;
  }

  /** Lists people with an e-mail address, in order of creation. */
  people(): PersonSummary[] {
    const people = this.all
      .filter(({ type }) => type === 'person')
      .map(({ id, name, keys }) => {
        const emails = [...keys].filter(key => readFocus(key).form === 'email');
        return { entity_id: id, name, emails };
      });
    return people.filter(({ emails }) => emails.length > 0);
  }

  /** Removes entities by ID. */
  remove(ids: ReadonlySet<string>): void {
    for (let i = this.all.length - 1; i >= 0; i--) if (ids.has(this.all[i]!.id)) this.all.splice(i, 1);
  }

  private create(type: TestEntity['type']): TestEntity {
    const number = String(++this.created).padStart(12, '0');
    const entity = { id: `00000000-0000-7000-8000-${number}`, type, keys: new Set<string>(), name: null, email: null };
    this.all.push(entity);
    return entity;
  }
}

/** Lists the IDs that an entity has in other systems. */
export function listTestExternalIds({ keys }: TestEntity): { readonly system: string; readonly id: string }[] {
  return [...keys].flatMap(key => {
    const [, system, id] = EXTERNAL_KEY.exec(key) ?? [];
    return system !== undefined && id !== undefined ? [{ system, id }] : [];
  });
}

const EVENTS: Readonly<Record<string, InteractionRecord['event']>> = {
  'interaction.email_replied': 'reply.received',
  'interaction.linkedin_replied': 'reply.received',
  'interaction.connection_accepted': 'connection.accepted',
  'interaction.meeting_scheduled': 'meeting.scheduled',
  'interaction.meeting_cancelled': 'meeting.cancelled',
};
const BACKFILL_METHODS = new Set(['import', 'backfill']);

/** Lists the observations of an entity that cause events in the hub, in the order in which they were appended. */
export function listTestInteractions(
  observations: readonly TestObservation[],
  entityId: string,
  { until, limit = 20 }: InteractionsOptions,
): InteractionRecord[] {
  const own = observations.filter(({ entity_id, method }) => entity_id === entityId && !BACKFILL_METHODS.has(method));
  const interactions = own.flatMap(
    ({ entity_id, recorded_at, id, property, value, source, method, observed_at, ...rest }) => {
      const event = EVENTS[property];
      const external_id = rest.external_id ?? null;
      const observation = { id, kind: 'event', property, value, source, method, observed_at, external_id } as const;
      return event ? [{ event, entity_id, recorded_at, observation }] : [];
    },
  );
  const last =
    until === undefined
      ? interactions.length
      : interactions.findIndex(({ observation }) => observation.id === until) + 1;
  return interactions.slice(Math.max(0, last - limit), last);
}
