import type { ChangesOptions, ChangesPage } from '../ports/changes.js';
import type { EntityWithClaims, FoundEntity, LookupResult } from '../ports/entities.js';
import type {
  ExternalFocus,
  Focus,
  LinkResult,
  RecordManyResult,
  RecordRow,
  InteractionsOptions,
  InteractionRecord,
  GraphPort,
  NoteInput,
  ObservationInput,
  RecordResult,
} from '../ports/graph-port.js';
import type {
  CompanyInput,
  CompanyUpsertOptions,
  PersonListPage,
  PeopleListOptions,
  PersonInput,
  UpsertResult,
  UpsertOptions,
} from '../ports/people-port.js';
import {
  readFocus,
  listTestInteractions,
  type TestObservation,
  type TestEntity,
  type TestNote,
  TestEntities,
} from './test-entities.js';
import type { RetractOptions, RetractResult } from '../ports/retractions.js';
import { listTestChanges, retractTestStatements } from './test-changes.js';
import { readTestClaims, readTestEntity } from './test-claims.js';
import { TestLeads } from './test-leads.js';
import { PermanentError } from '../errors.js';
import type { Json } from '../schema.js';
import { validateNote, validateObservation } from './schemas.js';

const MAX_ROWS = 1000;

/** A row of an upsert: what identifies it, and its facts. */
interface TestRow {
  readonly focuses: readonly Focus[];
  readonly facts: Readonly<Record<string, Json | undefined>>;
  /** ID of the record. */
  readonly id: string | undefined;
  readonly time: string | undefined;
}

/**
 * An in-memory graph. Entities are matched by identifier and observations deduplicated by (entity, source, external ID,
 * property), as in the hub. A claim is simply the newest value of its property.
 * @example expect(hub.timeline('ada@acme.io')).toMatchObject([{ property: 'interaction.call_held' }]);
 */
export class TestGraph implements GraphPort {
  /** All entities. */
  readonly entities = new TestEntities();
  /** All observations, in the order in which they were appended. */
  readonly observations: TestObservation[] = [];
  /** All notes, in the order in which they were attached. */
  readonly notes: TestNote[] = [];
  /** Aliases of properties for `canonicalProperty`: `graph.aliases.set('job_title', 'title')`. */
  readonly aliases = new Map<string, string>();
  private appended = 0;

  constructor(
    private readonly plugin: string,
    private readonly now: () => Date,
  ) {
    this.leads = new TestLeads(plugin, id => this.entities.find(id).length > 0);
  }

  async canonicalProperty(name: string): Promise<string> {
    return this.aliases.get(name) ?? name;
  }

  /** Compares without regard to case; the hub compares by the type of the property. */
  async valuesAgree(_property: string, one: Json, other: Json): Promise<boolean> {
    return JSON.stringify(one).toLowerCase() === JSON.stringify(other).toLowerCase();
  }

  readonly people = { upsert: this.upsert.bind(this), list: this.list.bind(this) };
  readonly companies = { upsert: this.upsertCompanies.bind(this) };
  /** Lead lists; `graph.leads.lists` has what was added. */
  readonly leads: TestLeads;

  async record(focus: Focus, observations: readonly ObservationInput[]): Promise<RecordResult> {
    const problem = observations.map(validateObservation).find(Boolean);
    if (problem) throw new PermanentError(problem);
    const { entity, created } = this.findOrCreateEntity(focus);
    const appended = observations.filter(input => this.append(entity, input));
    const states = appended.filter(({ kind }) => kind === 'state').map(({ property }) => property);
    return {
      entity_id: entity.id,
      entity_created: created,
      recorded: appended.length,
      duplicates: observations.length - appended.length,
      conflicts: [],
      claims_recomputed: [...new Set(states)].toSorted(),
    };
  }

  async recordMany(rows: readonly RecordRow[]): Promise<readonly RecordManyResult[]> {
    if (rows.length > MAX_ROWS) throw new PermanentError(`At most ${MAX_ROWS} rows go into one call.`);
    const results: RecordManyResult[] = [];
    for (const { focus, external_id: id, observations } of rows) {
      try {
        if (focus === undefined && id === undefined) throw new PermanentError('A row needs `focus` or `external_id`.');
        const keyed = observations.map(each => (id ? { external_id: toRecordKey(id, each), ...each } : each));
        results.push(await this.record(focus ?? { external: { system: this.plugin, id: id! } }, keyed));
      } catch (error) {
        if (!(error instanceof PermanentError)) throw error;
        results.push({ error: error.message });
      }
    }
    return results;
  }

  async findMany(focuses: readonly Focus[]): Promise<readonly (FoundEntity | null)[]> {
    return focuses.map(focus => {
      if (readFocus(focus).form === 'name') throw new PermanentError('findMany takes no bare name; use find.');
      const [found] = this.entities.find(focus);
      return found ? { status: 'one', entity_id: found.id, type: found.type } : null;
    });
  }

  async readMany(ids: readonly string[], properties: readonly string[]): Promise<readonly (EntityWithClaims | null)[]> {
    return ids.map(id => readTestEntity(this.entities, this.observations, id, properties));
  }

  async link(focus: Focus, external: ExternalFocus['external']): Promise<LinkResult> {
    const [entity] = this.entities.find(focus);
    if (!entity) throw new PermanentError('No entity has this identifier.');
    const type = external.type ?? entity.type;
    if (type !== entity.type) throw new PermanentError(`The entity is a ${entity.type}, not a ${type}.`);
    const [other] = this.entities.find({ external: { ...external, type } });
    if (other && other !== entity)
      return { entity_id: entity.id, merge: { status: 'proposed', other_entity_id: other.id } };
    entity.keys.add(readFocus({ external: { ...external, type } }).key);
    return { entity_id: entity.id, merge: null };
  }

  async note(focus: Focus, note: NoteInput): Promise<{ note_id: string; entity_id: string }> {
    const problem = validateNote(note);
    if (problem) throw new PermanentError(problem);
    const { entity } = this.findOrCreateEntity(focus);
    const source = note.source ?? this.plugin;
    const known = this.notes.find(
      existing =>
        note.external_id &&
        existing.entity_id === entity.id &&
        existing.source === source &&
        existing.external_id === note.external_id,
    );
    if (known) return { note_id: known.id, entity_id: entity.id };
    const date = note.date ?? this.now().toISOString().slice(0, 10);
    const saved = { type: 'note', ...note, id: `note-${this.notes.length + 1}`, entity_id: entity.id, source, date };
    this.notes.push(saved);
    return { note_id: saved.id, entity_id: entity.id };
  }

  async find(focus: Focus): Promise<LookupResult> {
    const found = this.entities.find(focus);
    if (found.length > 1) {
      return { status: 'ambiguous', candidates: found.map(({ id, name }) => ({ entity_id: id, name })) };
    }
    const [entity] = found;
    if (!entity) return null;
    const claims = readTestClaims(entity, this.observations);
    const text = (property: string) => (typeof claims[property]?.value === 'string' ? claims[property].value : null);
    const { id, type, name, email } = entity;
    return { status: 'one', entity: { id, type, name, email, title: text('title'), company: text('company'), claims } };
  }

  async listInteractions(entityId: string, options: InteractionsOptions = {}): Promise<readonly InteractionRecord[]> {
    return listTestInteractions(this.observations, entityId, options);
  }

  async changes(options?: ChangesOptions): Promise<ChangesPage> {
    return listTestChanges(this.observations, id => this.entities.find(id)[0], options);
  }

  async retract(source: string, options?: RetractOptions): Promise<RetractResult> {
    return retractTestStatements(this, source, options);
  }

  /** Returns the observations of an entity, newest first; empty for an unknown entity. */
  timeline(focus: Focus): TestObservation[] {
    const ids = new Set(this.entities.find(focus).map(({ id }) => id));
    const about = this.observations.filter(({ entity_id }) => ids.has(entity_id));
    return about.toReversed().toSorted((a, b) => b.observed_at.localeCompare(a.observed_at));
  }

  private async upsert(people: readonly PersonInput[], options: UpsertOptions = {}): Promise<readonly UpsertResult[]> {
    if (people.length > MAX_ROWS) throw new PermanentError(`At most ${MAX_ROWS} people go into one call.`);
    return people.map(person => this.upsertPerson(person, options));
  }

  private async list({ after = '', limit = 100 }: PeopleListOptions = {}): Promise<PersonListPage> {
    if (limit < 1 || limit > MAX_ROWS) throw new PermanentError(`A page has 1 to ${MAX_ROWS} people.`);
    const rest = this.entities.people().filter(({ entity_id }) => entity_id > after);
    const people = rest.slice(0, limit);
    return { people, next: rest.length > limit ? people.at(-1)!.entity_id : null };
  }

  private async upsertCompanies(
    companies: readonly CompanyInput[],
    options: CompanyUpsertOptions = {},
  ): Promise<readonly UpsertResult[]> {
    if (companies.length > MAX_ROWS) throw new PermanentError(`At most ${MAX_ROWS} companies go into one call.`);
    return companies.map(({ domain, domains = [], linkedin_url, external_id: id, observed_at: time, ...facts }) => {
      const external =
        id === undefined ? [] : [{ external: { system: options.system ?? this.plugin, id, type: 'company' as const } }];
      const named = [domain, ...domains, linkedin_url].filter(text => text !== undefined);
      const focuses: Focus[] = [...named, ...external];
      if (focuses.length === 0) return { error: 'domain, linkedin_url or external_id is needed', field: 'domain' };
      return this.upsertOne({ focuses, facts, id, time }, options, 'domain');
    });
  }

  private upsertPerson(person: PersonInput, options: UpsertOptions): UpsertResult {
    const { email, linkedin_url, external_id: id, observed_at: time, ...facts } = person;
    const external = id === undefined ? [] : [{ external: { system: options.system ?? this.plugin, id } }];
    const strong = [email, ...(facts.emails ?? []), linkedin_url].filter(text => text !== undefined);
    const precise: Focus[] = [...strong, ...external];
    const focuses = precise.length > 0 || facts.phone === undefined ? precise : [{ phone: facts.phone }];
    if (focuses.length === 0)
      return { error: 'an email, linkedin_url, external_id or phone is needed', field: 'email' };
    return this.upsertOne({ focuses, facts, id, time }, options, 'email');
  }

  private upsertOne({ focuses, facts, id, time }: TestRow, options: UpsertOptions, field: string): UpsertResult {
    const matching = focuses.find(focus => this.entities.find(focus).length > 0);
    if (options.dryRun) return this.previewUpsert(matching, facts);
    const entity = this.entities.findOrCreate(focuses);
    if (!entity) return { error: 'its identifiers are not understood', field };
    if (typeof facts['name'] === 'string') entity.name = facts['name'];
    const observed_at = time ?? options.observedAt ?? this.now().toISOString();
    const source = options.source ?? this.plugin;
    let [recorded, duplicates] = [0, 0];
    for (const [property, value] of Object.entries(facts)) {
      if (value === undefined || property === 'name') continue;
      const given = { property, value, ...(time !== undefined && { observed_at: time }) };
      const external_id =
        id === undefined ? `upsert:${property}:${observed_at}` : toRecordKey(id, { kind: 'state', ...given });
      if (this.append(entity, { kind: 'state', property, value, source, observed_at, external_id })) recorded += 1;
      else duplicates += 1;
    }
    const matched_by = matching === undefined ? null : readFocus(matching).form;
    return { entity_id: entity.id, created: matched_by === null, matched_by, recorded, duplicates, conflicts: [] };
  }

  private previewUpsert(matching: Focus | undefined, facts: Record<string, unknown>): UpsertResult {
    const [entity] = matching === undefined ? [] : this.entities.find(matching);
    const matched_by = matching === undefined ? null : readFocus(matching).form;
    const recorded = Object.keys(facts).filter(property => property !== 'name').length;
    const entity_id = entity?.id ?? '00000000-0000-7000-8000-000000000000';
    return { entity_id, created: !entity, matched_by, recorded, duplicates: 0, conflicts: [] };
  }

  private findOrCreateEntity(focus: Focus): { entity: TestEntity; created: boolean } {
    const [known] = this.entities.find(focus);
    const entity = this.entities.findOrCreate([focus]);
    if (entity) return { entity, created: known === undefined };
    throw new PermanentError(
      `${JSON.stringify(focus)} names nobody: writes take an id, email, domain, LinkedIn URL, {external} or {phone}, no bare name.`,
    );
  }

  /** Appends an observation. @returns whether it was new */
  private append(entity: TestEntity, input: ObservationInput): boolean {
    const { kind, property, value = null, source = this.plugin, method = 'plugin', external_id, raw } = input;
    const isKnown = this.observations.some(
      existing =>
        external_id !== undefined &&
        existing.entity_id === entity.id &&
        existing.source === source &&
        existing.external_id === external_id &&
        existing.property === property,
    );
    if (isKnown) return false;
    const observed_at = new Date(input.observed_at ?? this.now()).toISOString();
    const recorded_at = this.now().toISOString();
    const id = `observation-${++this.appended}`;
    const about = { entity_id: entity.id, subject: entity.email ?? entity.name ?? entity.id };
    const given = { ...(external_id !== undefined && { external_id }), ...(raw && { raw }) };
    this.observations.push({ id, recorded_at, ...about, kind, property, value, source, method, observed_at, ...given });
    return true;
  }
}

/** The key of an observation of a record, as the hub derives it. */
function toRecordKey(id: string, { property, value = null, observed_at }: ObservationInput): string {
  return `record:${JSON.stringify([id, property, value, observed_at ?? null])}`;
}
