import type { ClaimSummary, LookupResult } from '#sdk/ports/entities.js';
import type { AccountResponse, PresentedClaim } from '../accounts/accounts.presenter.js';
import type { AmbiguousName } from '../identity/entity-resolver.service.js';
import { Injectable } from '@nestjs/common';
import { valuesAgree } from '#domain/comparison/comparison-key.js';
import type { JsonValue } from '#domain/observation/observation.js';
import { canonicalProperty } from '#domain/properties/registry.js';
import { PermanentError } from '#sdk/errors.js';
import type { ChangesOptions, ChangesPage } from '#sdk/ports/changes.js';
import type { Focus, GraphPort, NoteInput, ObservationInput, RecordResult } from '#sdk/ports/graph-port.js';
import type { PersonListPage, PeopleListOptions } from '#sdk/ports/people-port.js';
import type { RetractOptions, RetractResult } from '#sdk/ports/retractions.js';
import { HUB_ACTOR } from '#kernel/audit/audit-log.js';
import { requestActor } from '#kernel/request-context.js';
import { readRetractRequest } from '../retractions/retraction-request.js';
import { RetractionsService } from '../retractions/retractions.service.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { GraphPortFactory, type PluginScope } from '#plugin-host/context/plugin-ports.js';
import { ChangesService } from '../changes/changes.service.js';
import { readChangesRequest } from '../changes/changes-request.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { toSaveNoteInput } from '../notes/notes-request.js';
import { FocusInputService } from '../identity/focus-input.service.js';
import { NotesService } from '../notes/notes.service.js';
import { ObservationsService } from '../observations/observations.service.js';
import { readRecordRequest } from '../observations/record-call.js';
import { readPeopleWithEmail } from './contacts.queries.js';
import { BulkService, toRecordResult } from './bulk.service.js';
import { CompaniesUpsertService } from './companies-upsert.service.js';
import { EntityReadsService } from './entity-reads.service.js';
import { InteractionsService } from './interactions.service.js';
import { PeopleUpsertService } from './people-upsert.service.js';
import { PluginLeadsService } from './plugin-leads.service.js';

/** Converts an account, or the candidates for a name, to the shape of the plugin SDK. */
export function toLookupResult(read: AccountResponse | AmbiguousName): NonNullable<LookupResult> {
  if ('status' in read) {
    return { status: 'ambiguous', candidates: read.candidates.map(({ entity_id, name }) => ({ entity_id, name })) };
  }
  const claims = read.claims as Readonly<Record<string, PresentedClaim>>;
  const text = (property: string) => {
    const value = claims[property]?.value;
    return typeof value === 'string' ? value : null;
  };
  const email = read.identifiers.find(({ kind }) => kind === 'email')?.value ?? null;
  return {
    status: 'one',
    entity: {
      id: read.entity_id,
      type: read.type,
      name: read.name,
      email,
      title: text('title'),
      company: read.entity.company?.name ?? text('company'),
      claims: Object.fromEntries(Object.entries(claims).map(([property, claim]) => [property, toClaimSummary(claim)])),
    },
  };
}

function toClaimSummary({ value, confidence, freshness, epistemic_class }: PresentedClaim): ClaimSummary {
  return { value, confidence, freshness, epistemic_class };
}

const METHOD = 'plugin';
const MAX_PEOPLE = 1_000;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Implements the graph of the plugin SDK with the services that REST and MCP call, on behalf of the plugin. */
@Injectable()
export class GraphPortService extends GraphPortFactory {
  constructor(
    private readonly observations: ObservationsService,
    private readonly accounts: AccountsService,
    private readonly notes: NotesService,
    private readonly people: PeopleUpsertService,
    private readonly companies: CompaniesUpsertService,
    private readonly work: UnitOfWork,
    private readonly interactions: InteractionsService,
    private readonly focuses: FocusInputService,
    private readonly bulk: BulkService,
    private readonly feed: ChangesService,
    private readonly leads: PluginLeadsService,
    private readonly retractions: RetractionsService,
    private readonly reads: EntityReadsService,
  ) {
    super();
  }

  create(scope: PluginScope): GraphPort {
    return {
      record: (focus, observations) => toPermanentError(() => this.record(scope, focus, observations)),
      recordMany: rows => this.bulk.recordMany(scope, rows),
      findMany: focuses => toPermanentError(() => this.bulk.findMany(scope, focuses)),
      readMany: (ids, properties) => toPermanentError(() => this.reads.readMany(scope, ids, properties)),
      link: (focus, external) => toPermanentError(() => this.bulk.link(scope, focus, external)),
      note: (focus, note) => toPermanentError(() => this.note(scope, focus, note)),
      find: focus => this.find(scope, focus),
      listInteractions: (entityId, options) => this.interactions.read(scope.workspaceId, entityId, options),
      changes: options => toPermanentError(() => this.changes(scope, options)),
      retract: (source, options) => toPermanentError(() => this.retract(scope, source, options)),
      canonicalProperty: async name => canonicalProperty(name),
      valuesAgree: async (name, one, other) =>
        valuesAgree(canonicalProperty(name), one as JsonValue, other as JsonValue),
      people: {
        upsert: (rows, options = {}) => this.people.upsert(scope, rows, options),
        list: (page = {}) => this.list(scope, page),
      },
      companies: { upsert: (rows, options = {}) => this.companies.upsert(scope, rows, options) },
      leads: { add: (list, rows, options = {}) => toPermanentError(() => this.leads.add(scope, list, rows, options)) },
    };
  }

  private async record(
    { workspaceId, plugin }: PluginScope,
    given: Focus,
    inputs: readonly ObservationInput[],
  ): Promise<RecordResult> {
    const focus = await this.focuses.toText(workspaceId, given);
    const observations = inputs.map(observation => ({ source: plugin, method: METHOD, ...observation }));
    const request = readRecordRequest({ focus, observations });
    const { body } = await this.observations.record(workspaceId, request);
    return toRecordResult(body, request);
  }

  private async note({ workspaceId, plugin }: PluginScope, given: Focus, note: NoteInput) {
    const focus = await this.focuses.toText(workspaceId, given);
    const { body } = await this.notes.save(workspaceId, toSaveNoteInput({ source: plugin, ...note, focus }));
    return { note_id: body.id, entity_id: body.entity_id };
  }

  private async changes({ workspaceId }: PluginScope, options: ChangesOptions = {}): Promise<ChangesPage> {
    const { changes, next_cursor, has_more } = await this.feed.read(workspaceId, readChangesRequest(options));
    return { changes, next: next_cursor, has_more };
  }

  private async retract(
    { workspaceId }: PluginScope,
    source: string,
    { after, since, reason, limit, dryRun }: RetractOptions = {},
  ): Promise<RetractResult> {
    const input = readRetractRequest({ source, cursor: after, since, reason, limit, dry_run: dryRun });
    const { body } = await this.retractions.retract(workspaceId, requestActor() ?? HUB_ACTOR, input);
    const { observations, notes, leads, entities_removed, next_cursor: next } = body;
    return { observations, notes, leads, entities_removed, next };
  }

  private list({ workspaceId }: PluginScope, { after, limit = 100 }: PeopleListOptions): Promise<PersonListPage> {
    if (!Number.isInteger(limit) || limit < 1 || limit > MAX_PEOPLE) {
      throw new PermanentError(`A page has 1 to ${MAX_PEOPLE} people.`);
    }
    if (after && !UUID.test(after)) throw new PermanentError('after is no "next" of a page before.');
    return this.work.run(workspaceId, async tx => {
      const rows = await readPeopleWithEmail(tx, after || null, limit + 1);
      const people = rows.slice(0, limit);
      return { people, next: rows.length > limit ? people.at(-1)!.entity_id : null };
    });
  }

  private async find({ workspaceId }: PluginScope, given: Focus): Promise<LookupResult> {
    try {
      const focus = await this.focuses.toText(workspaceId, given);
      const options = { limit: 1, history: false, claims: 'map' } as const;
      return toLookupResult(await this.accounts.read(workspaceId, focus, options));
    } catch (error) {
      if (error instanceof HubError && (error.code === 'entity_not_found' || error.code === 'invalid_focus'))
        return null;
      throw error;
    }
  }
}

/** Converts client errors (4xx) to `PermanentError`, because a retry cannot succeed. */
async function toPermanentError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof HubError) || error.status >= 500) throw error;
    const details = error.details?.map(({ message }) => message).join(' ');
    throw new PermanentError(details || error.detail || error.code);
  }
}
