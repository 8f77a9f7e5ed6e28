import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import type { Database } from '#kernel/db/database.js';
import { DATABASE } from '#kernel/db/database.module.js';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { EventSubscriptions } from '#kernel/events/event-subscriptions.js';
import { EgressClients } from '#kernel/egress/egress.clients.js';
import { Embedder, embedderAccess, EmbedderFailed } from '#kernel/llm/embedder.js';
import type { JobQueue } from '#kernel/queue/queue.backend.js';
import { Queues } from '#kernel/queue/queues.js';
import { fillNote, fillVectors } from './fill-vectors.js';
import { dimsWithoutIndex, makeIndex } from './vectors.index.js';
import { nearNotes, type NearNote, type NearWish } from './vectors.queries.js';

/** The vector of a question, with the id of those that it can be compared with. */
export interface QuestionVector {
  readonly embedder: string;
  readonly vector: readonly number[];
}

type JobName = 'fill' | 'index';

/** A workspace whose passages want vectors (`fill`) or an index of them (`index`). */
interface VectorsJob {
  readonly workspaceId: string;
}

const QUEUE = 'note-vectors';
const QUESTION_MS = 2_000;
const IDENTIFY_MS = 10_000;

/** Vectors of passages, where the operator has set an embedder; without one it does nothing. */
@Injectable()
export class NoteVectors implements OnModuleInit, OnApplicationBootstrap {
  private readonly embedder: Embedder | undefined;
  private readonly log = new Logger('NoteVectors');
  private jobs: JobQueue<VectorsJob> | undefined;

  constructor(
    @Inject(ENV) private readonly env: Env,
    @Inject(DATABASE) private readonly database: Database,
    private readonly work: UnitOfWork,
    private readonly queues: Queues,
    private readonly events: EventSubscriptions,
    egress: EgressClients,
  ) {
    const { embeddings } = env;
    this.embedder = embeddings && new Embedder(egress.for(embedderAccess(embeddings)), embeddings);
  }

  async onModuleInit(): Promise<void> {
    const { embedder } = this;
    if (!embedder) return;
    this.events.subscribe('note.saved', 'note-vectors', ({ workspaceId, payload }) =>
      this.fillNote(workspaceId, String(payload['note_id']), embedder),
    );
    this.jobs = await this.queues.queue<VectorsJob>(QUEUE);
    if (this.env.role !== 'api') {
      await this.queues.worker<VectorsJob>(
        QUEUE,
        {
          run: ({ name, data: { workspaceId } }) =>
            name === 'index' ? this.index(workspaceId, embedder) : this.fill(workspaceId, embedder),
          // Notes without a vector are asked for again until they have one, however long the embedder is away.
          givenUp: async ({ name, data: { workspaceId } }, error) => {
            this.log.error(`The notes of ${workspaceId} have no vectors: ${error.message}`);
            if (name === 'fill') await this.want('fill', workspaceId);
          },
        },
        1,
      );
    }
  }

  /** Notes from before the embedder, or from another model's time, get their vectors after a start. */
  async onApplicationBootstrap(): Promise<void> {
    if (!this.embedder || this.env.role === 'api') return;
    const all = await this.work.system(tx => tx.query<{ id: string }>('SELECT id FROM workspaces'));
    for (const { id } of all) await this.want('fill', id);
  }

  /**
   * The vector of a question; `none` without an embedder, `down` while it gives none. Asked for before a transaction is
   * opened: a slow embedder holds no connection.
   */
  async vectorOf(question: string): Promise<QuestionVector | 'none' | 'down'> {
    if (!this.embedder) return 'none';
    try {
      const { id, vectors } = await this.embedder.embed([question], QUESTION_MS);
      return { embedder: id, vector: vectors[0]! };
    } catch (error) {
      if (error instanceof EmbedderFailed) return 'down';
      throw error;
    }
  }

  /** The notes that come nearest to a vector. */
  near(tx: Tx, wish: NearWish): Promise<NearNote[]> {
    return nearNotes(tx, wish);
  }

  /** A search has found notes and no vector that it could compare: they are being made. Never throws. */
  async miss(workspaceId: string): Promise<void> {
    await this.want('fill', workspaceId).catch(error => this.log.warn(`Vectors cannot be asked for: ${error}`));
  }

  /** The vectors of a note that was saved. While the embedder is away a job of the workspace waits for it. */
  private async fillNote(workspace: string, noteId: string, embedder: Embedder): Promise<void> {
    try {
      const filled = await fillNote(this.work, workspace, noteId, embedder);
      if (filled?.hasOthers) await this.want('fill', workspace);
      else if (filled) await this.wantIndex(workspace, filled.id);
    } catch (error) {
      if (!(error instanceof EmbedderFailed)) throw error;
      await this.want('fill', workspace);
    }
  }

  /** Fills in whatever is missing. An index is another job: making one takes minutes. */
  private async fill(workspace: string, embedder: Embedder): Promise<void> {
    const { id } = await fillVectors(this.work, workspace, embedder);
    await this.wantIndex(workspace, id);
  }

  private async wantIndex(workspace: string, id: string): Promise<void> {
    const dims = await this.work.run(workspace, tx => dimsWithoutIndex(tx, id));
    if (dims !== undefined) await this.want('index', workspace);
  }

  /** Asked for many times over, a job waits once. What is asked for while it runs is done behind it. */
  private async want(name: JobName, workspaceId: string): Promise<void> {
    const deduplication = { id: `${name}-${workspaceId}`, keepLastIfActive: true };
    await this.jobs!.add(name, { workspaceId }, { deduplication });
  }

  private async index(workspace: string, embedder: Embedder): Promise<void> {
    const id = await embedder.identify(IDENTIFY_MS);
    const dims = await this.work.run(workspace, tx => dimsWithoutIndex(tx, id));
    if (dims !== undefined) await makeIndex(this.database.pool, workspace, id, dims);
  }
}
