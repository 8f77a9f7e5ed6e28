import type { Json, JsonObject } from '../schema.js';
import type { PersonSummary } from '../graph-port.js';

/** A parsed focus. The rules are simpler than those of the hub. */
export interface TestFocus {
  readonly form: 'id' | 'email' | 'linkedin' | 'domain' | 'name';
  /** Equal for focuses that identify the same entity. */
  readonly key: string;
}

/** Parses the focus of a call. */
export function readFocus(text: string): TestFocus {
  const plain = String(text).trim().toLowerCase();
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(plain)) return { form: 'id', key: plain };
  const profile = /linkedin\.com\/(?:in|company)\/([^/?#]+)/.exec(plain);
  if (profile) return { form: 'linkedin', key: `linkedin:${profile[1]}` };
  if (/^[^@\s]+@[^@\s][^@\s.]*\.[^@\s]+$/.test(plain)) return { form: 'email', key: plain };
  const domain = /^(?:https?:\/\/)?(?:www\.)?([a-z0-9-]+(?:\.[a-z0-9-]+)+)(?:\/.*)?$/.exec(plain);
  return domain ? { form: 'domain', key: domain[1]! } : { form: 'name', key: plain.replaceAll(/\s+/g, ' ') };
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

  /** Finds the entities that a focus identifies; only a bare name can match several. */
  find(focus: string): TestEntity[] {
    const { form, key } = readFocus(focus);
    if (form === 'name') return this.all.filter(({ name }) => name?.toLowerCase() === key);
    return this.all.filter(({ id, keys }) => (form === 'id' ? id === key : keys.has(key)));
  }

  /** Finds the entity that the focuses identify, or creates it. Returns undefined for a bare name or an unknown ID. */
  findOrCreate(focuses: readonly string[]): TestEntity | undefined {
    const parsed = focuses.map(readFocus);
    const known = focuses.flatMap(focus => this.find(focus))[0];
    if (parsed.some(({ form }) => form === 'name') || (!known && parsed.some(({ form }) => form === 'id')))
      return undefined;
    const entity = known ?? this.create(parsed.every(({ form }) => form === 'domain') ? 'company' : 'person');
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

  private create(type: TestEntity['type']): TestEntity {
    const number = String(this.all.length + 1).padStart(12, '0');
    const entity = { id: `00000000-0000-7000-8000-${number}`, type, keys: new Set<string>(), name: null, email: null };
    this.all.push(entity);
    return entity;
  }
}
