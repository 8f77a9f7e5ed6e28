import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import type { Database } from '#kernel/db/database.js';
import { DATABASE } from '#kernel/db/database.module.js';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { EventSubscriptions } from '#kernel/events/event-subscriptions.js';
import { Embedder, EmbedderFailed } from '#kernel/llm/embedder.js';
import type { JobQueue } from '#kernel/queue/queue.backend.js';
import { Queues } from '#kernel/queue/queues.js';
import { fillVectors } from './fill-vectors.js';
import { dimsWithoutIndex, makeIndex } from './vectors.index.js';
import { nearNotes, type NearNote, type NearWish } from './vectors.queries.js';

/** The vector of a question; `none` without an embedder, `down` while it gives none. */
export type QuestionVector = readonly number[] | 'none' | 'down';

/** A workspace whose passages want vectors (`fill`) or an index of them (`index`). */
interface VectorsJob {
  readonly workspaceId: string;
}

const QUEUE = 'note-vectors';
const QUESTION_MS = 2_000;

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
  ) {
    this.embedder = env.embeddings && new Embedder(env.embeddings);
  }

  async onModuleInit(): Promise<void> {
    const { embedder } = this;
    if (!embedder) return;
    this.events.subscribe('note.saved', 'note-vectors', event => this.fill(event.workspaceId, embedder));
    this.jobs = await this.queues.queue<VectorsJob>(QUEUE);
    if (this.env.role !== 'api') {
      await this.queues.worker<VectorsJob>(
        QUEUE,
        {
          run: ({ name, data: { workspaceId } }) =>
            name === 'index' ? this.index(workspaceId, embedder) : this.fill(workspaceId, embedder),
          givenUp: async ({ data }, error) =>
            this.log.error(`The notes of ${data.workspaceId} have no vectors: ${error.message}`),
        },
        1,
      );
    }
  }

  /** Notes from before the embedder, or from another model's time, get their vectors after a start. */
  async onApplicationBootstrap(): Promise<void> {
    if (!this.embedder || this.env.role === 'api') return;
    const all = await this.work.system(tx => tx.query<{ id: string }>('SELECT id FROM workspaces'));
    for (const { id } of all) await this.jobs!.add('fill', { workspaceId: id });
  }

  /** The vector of a question. Asked for before a transaction is opened: a slow embedder holds no connection. */
  async vectorOf(question: string): Promise<QuestionVector> {
    if (!this.embedder) return 'none';
    try {
      const [vector] = await this.embedder.embed([question], QUESTION_MS);
      return vector!;
    } catch (error) {
      if (error instanceof EmbedderFailed) return 'down';
      throw error;
    }
  }

  /** The notes that come nearest to a vector of this embedder. */
  near(tx: Tx, wish: Omit<NearWish, 'embedder'>): Promise<NearNote[]> {
    return nearNotes(tx, { ...wish, embedder: this.embedder!.id });
  }

  /** Fills in what is missing. An index is another job: making one takes minutes. */
  private async fill(workspace: string, embedder: Embedder): Promise<void> {
    await fillVectors(this.work, workspace, embedder);
    const dims = await this.work.run(workspace, tx => dimsWithoutIndex(tx, embedder.id));
    if (dims !== undefined) await this.jobs!.add('index', { workspaceId: workspace });
  }

  private async index(workspace: string, embedder: Embedder): Promise<void> {
    const dims = await this.work.run(workspace, tx => dimsWithoutIndex(tx, embedder.id));
    if (dims !== undefined) await makeIndex(this.database.pool, workspace, embedder.id, dims);
  }
}
