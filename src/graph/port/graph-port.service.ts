import { Injectable } from '@nestjs/common';
import { canonicalProperty } from '#domain/properties/registry.js';
import { PermanentError } from '#sdk/errors.js';
import type {
  Found,
  GraphPort,
  ListedPeople,
  NoteInput,
  ObservationInput,
  PeoplePage,
  RecordAnswer,
} from '#sdk/graph-port.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/errors.js';
import { GraphPorts, type PluginScope } from '#kernel/plugins/context/plugin-ports.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { noteToSaveOf } from '../notes/notes.requests.js';
import { NotesService } from '../notes/notes.service.js';
import { ObservationsService } from '../observations/observations.service.js';
import { readRecordRequest } from '../observations/record-request.js';
import { readPeopleWithEmail } from './contacts.queries.js';
import { showFound } from './found.js';
import { InteractionsService } from './interactions.service.js';
import { PeopleUpsert } from './people-upsert.js';

const METHOD = 'plugin';
const MOST_PEOPLE = 1_000;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The graph for plugins: the very services that REST and MCP call, in the name of the plugin. */
@Injectable()
export class GraphPortService extends GraphPorts {
  constructor(
    private readonly observations: ObservationsService,
    private readonly accounts: AccountsService,
    private readonly notes: NotesService,
    private readonly people: PeopleUpsert,
    private readonly work: UnitOfWork,
    private readonly interactions: InteractionsService,
  ) {
    super();
  }

  of(scope: PluginScope): GraphPort {
    return {
      record: (focus, observations) => permanentIfRefused(() => this.record(scope, focus, observations)),
      note: (focus, note) => permanentIfRefused(() => this.note(scope, focus, note)),
      find: focus => this.find(scope, focus),
      interactions: (entityId, options) => this.interactions.read(scope.workspaceId, entityId, options),
      propertyOf: async name => canonicalProperty(name),
      people: {
        upsert: (rows, options = {}) => this.people.upsert(scope, rows, options),
        list: (page = {}) => this.list(scope, page),
      },
    };
  }

  private async record(
    { workspaceId, plugin }: PluginScope,
    focus: string,
    given: readonly ObservationInput[],
  ): Promise<RecordAnswer> {
    const observations = given.map(observation => ({ source: plugin, method: METHOD, ...observation }));
    const { body } = await this.observations.record(workspaceId, readRecordRequest({ focus, observations }));
    const { entity_id, entity_created, recorded, duplicates, claims_recomputed } = body;
    return { entity_id, entity_created, recorded, duplicates, claims_recomputed };
  }

  private async note({ workspaceId, plugin }: PluginScope, focus: string, note: NoteInput) {
    const { body } = await this.notes.save(workspaceId, noteToSaveOf({ source: plugin, ...note, focus }));
    return { note_id: body.id, entity_id: body.entity_id };
  }

  private list({ workspaceId }: PluginScope, { after, limit = 100 }: PeoplePage): Promise<ListedPeople> {
    if (!Number.isInteger(limit) || limit < 1 || limit > MOST_PEOPLE) {
      throw new PermanentError(`A page has 1 to ${MOST_PEOPLE} people.`);
    }
    if (after && !UUID.test(after)) throw new PermanentError('after is no "next" of a page before.');
    return this.work.run(workspaceId, async tx => {
      const rows = await readPeopleWithEmail(tx, after || null, limit + 1);
      const people = rows.slice(0, limit);
      return { people, next: rows.length > limit ? people.at(-1)!.entity_id : null };
    });
  }

  private async find({ workspaceId }: PluginScope, focus: string): Promise<Found> {
    try {
      const wanted = { limit: 1, history: false, claims: 'map' } as const;
      return showFound(await this.accounts.read(workspaceId, focus, wanted));
    } catch (error) {
      if (error instanceof HubError && (error.code === 'entity_not_found' || error.code === 'invalid_focus'))
        return null;
      throw error;
    }
  }
}

/** What a caller would be told with a 4xx does not get better by another try. */
async function permanentIfRefused<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof HubError) || error.status >= 500) throw error;
    const details = error.details?.map(({ message }) => message).join(' ');
    throw new PermanentError(details || error.detail || error.code);
  }
}
