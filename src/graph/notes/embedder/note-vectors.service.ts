import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { EventSubscriptions } from '#kernel/events/event-subscriptions.js';
import { Embedder, EmbedderFailed } from '#kernel/llm/embedder.js';
import type { JobQueue } from '#kernel/queue/queue.backend.js';
import { Queues } from '#kernel/queue/queues.js';
import { barePassages, dropOthers, keepVectors, nearNotes, type NearNote, type NearWish } from './vectors.queries.js';

/** The vector of a question; `none` without an embedder, `down` while it gives none. */
export type QuestionVector = readonly number[] | 'none' | 'down';

/** A workspace whose passages want vectors. */
interface FillJob {
  readonly workspaceId: string;
}

const QUEUE = 'note-vectors';
const BATCH = 64;
const QUESTION_MS = 2_000;
const BATCH_MS = 30_000;

/** Vectors of passages, where the operator has set an embedder; without one it does nothing. */
@Injectable()
export class NoteVectors implements OnModuleInit, OnApplicationBootstrap {
  private readonly embedder: Embedder | undefined;
  private readonly log = new Logger('NoteVectors');
  private jobs: JobQueue<FillJob> | undefined;

  constructor(
    @Inject(ENV) private readonly env: Env,
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
    this.jobs = await this.queues.queue<FillJob>(QUEUE);
    if (this.env.role !== 'api') {
      await this.queues.worker<FillJob>(
        QUEUE,
        {
          run: ({ data }) => this.fill(data.workspaceId, embedder),
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

  /** Batch by batch, none of them within a transaction that waits for the embedder. */
  private async fill(workspace: string, embedder: Embedder): Promise<void> {
    for (;;) {
      const passages = await this.work.run(workspace, tx => barePassages(tx, embedder.id, BATCH));
      if (passages.length === 0) break;
      const vectors = await embedder.embed(
        passages.map(({ text }) => text),
        BATCH_MS,
      );
      await this.work.run(workspace, tx => keepVectors(tx, embedder.id, passages, vectors));
    }
    await this.work.run(workspace, tx => dropOthers(tx, embedder.id));
  }
}
