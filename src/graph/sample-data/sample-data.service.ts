import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/actor/actor.js';
import { type Instant, toIso, toIsoOrNull } from '#domain/time/instant.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { readAttachInput } from '../leads/add-leads-request.js';
import { LeadsService } from '../leads/leads.service.js';
import { toSaveNoteInput } from '../notes/notes-request.js';
import { NotesService } from '../notes/notes.service.js';
import { readRecordRequest } from '../observations/record-call.js';
import { ObservationsService } from '../observations/observations.service.js';
import { readRetractRequest } from '../retractions/retraction-request.js';
import { RetractionsService } from '../retractions/retractions.service.js';
import {
  buildSampleData,
  SAMPLE_AUTHOR,
  SAMPLE_DOMAINS,
  SAMPLE_LIST,
  SAMPLE_SOURCES,
  type SampleContent,
} from './sample-data.data.js';
import { findSampleDataTime } from './sample-data.queries.js';

/** Whether a workspace has the sample data. */
export interface SampleDataState {
  readonly is_loaded: boolean;
  readonly loaded_at: string | null;
}

/** What was loaded. */
export interface LoadedSampleData extends SampleDataState {
  readonly people: number;
  readonly companies: number;
  readonly observations: number;
  readonly notes: number;
}

/** What was removed. */
export interface RemovedSampleData extends SampleDataState {
  readonly observations: number;
  readonly notes: number;
  readonly leads: number;
  readonly entities: number;
}

/** Why the sample data is retracted, as retractions list it. */
const REASON = 'The sample data was removed';

/** Fills a workspace with invented people and companies, and removes them again. */
@Injectable()
export class SampleDataService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly observations: ObservationsService,
    private readonly notes: NotesService,
    private readonly leads: LeadsService,
    private readonly retractions: RetractionsService,
  ) {}

  /** Returns whether the sample data is in the workspace. */
  async read(workspace: string): Promise<SampleDataState> {
    return toState(await this.findTime(workspace));
  }

  /**
   * Records the sample data as its sources would, by the calls that programs use. What is there already stays, so that
   * a call that was interrupted is repeated. People of it who were erased stay away. Its dates lie relative to the first
   * load.
   */
  async load(workspace: string): Promise<LoadedSampleData> {
    const loadedAt = await this.findTime(workspace);
    const data = buildSampleData(loadedAt ?? (await this.work.run(workspace, tx => tx.now())));
    const entities = await keepAllowed(data.entities, entity =>
      this.observations.record(workspace, readRecordRequest(entity)),
    );
    const notes = await this.saveNotes(workspace, data);
    await this.addLeads(workspace, entities);
    const companies = SAMPLE_DOMAINS.length;
    return {
      ...(await this.read(workspace)),
      companies,
      people: entities.length - companies,
      observations: entities.flatMap(({ observations }) => observations).length,
      notes,
    };
  }

  /** Retracts everything that the sample data stated. What others stated about the same people stays. */
  async remove(workspace: string, actor: Actor): Promise<RemovedSampleData> {
    const loadedAt = await this.findTime(workspace);
    const counts = { observations: 0, notes: 0, leads: 0, entities: 0 };
    if (loadedAt === undefined) return { ...toState(undefined), ...counts };
    for (const source of SAMPLE_SOURCES) {
      let cursor: string | null = null;
      do {
        const request = { source, reason: REASON, since: toIso(loadedAt), ...(cursor !== null && { cursor }) };
        const { body } = await this.retractions.retract(workspace, actor, readRetractRequest(request));
        counts.observations += body.observations;
        counts.notes += body.notes;
        counts.leads += body.leads;
        counts.entities += body.entities_removed;
        cursor = body.next_cursor;
      } while (cursor !== null);
    }
    return { ...toState(undefined), ...counts };
  }

  private findTime(workspace: string): Promise<Instant | undefined> {
    return this.work.run(workspace, findSampleDataTime);
  }

  /** @returns how many were saved */
  private async saveNotes(workspace: string, { notes }: SampleContent): Promise<number> {
    const saved = await keepAllowed(notes, (note, index) => {
      const external = { source: SAMPLE_AUTHOR, external_id: `sample-${index}` };
      return this.notes.save(workspace, toSaveNoteInput({ ...note, ...external }));
    });
    return saved.length;
  }

  private async addLeads(workspace: string, entities: SampleContent['entities']): Promise<void> {
    const rows = entities.flatMap(({ focus }) => (focus.includes('@') ? { email: focus } : []));
    const list = { name: SAMPLE_LIST, source: SAMPLE_AUTHOR, external_id: 'sample' };
    await this.leads.add(workspace, await readAttachInput({ ...list, rows }));
  }
}

/** Writes items one after the other, and returns those that were written: what is about an erased person is refused. */
async function keepAllowed<Item>(
  items: readonly Item[],
  write: (item: Item, index: number) => Promise<unknown>,
): Promise<Item[]> {
  const allowed: Item[] = [];
  for (const [index, item] of items.entries()) {
    try {
      await write(item, index);
      allowed.push(item);
    } catch (error) {
      if (!(error instanceof HubError && error.code === 'identifier_erased')) throw error;
    }
  }
  return allowed;
}

function toState(loadedAt: Instant | undefined): SampleDataState {
  return { is_loaded: loadedAt !== undefined, loaded_at: toIsoOrNull(loadedAt ?? null) };
}
