import { InjectQueue, Processor } from '@nestjs/bullmq';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleInit, Optional } from '@nestjs/common';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import type { Database } from '#kernel/db/database.js';
import { DATABASE } from '#kernel/db/database.module.js';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { EventSubscriptionRegistry } from '#kernel/events/event-subscription.registry.js';
import { EgressClients } from '#kernel/egress/egress.client.js';
import { Embedder, embedderAccess, EmbedderError } from '#kernel/llm/embedder.js';
import type { JobQueue } from '#kernel/queue/hub-queue.js';
import { type ActiveJob, JobProcessor } from '#kernel/queue/hub-worker.js';
import { embedNote, backfillEmbeddings } from './reindex-vectors.js';
import { findUnindexedDimensions, createVectorIndex } from './vectors.schema.js';
import { findNearestNotes, type NearestNote, type NearestNotesQuery } from './vectors.queries.js';

/** The vector of a question, and the embedder with whose vectors it is comparable. */
export interface QuestionVector {
  readonly embedder: string;
  readonly vector: readonly number[];
}

/** Kinds of jobs: embedding the passages without vectors, or building a vector index. */
export type VectorsJobName = 'fill' | 'index';

/** A workspace whose passages need vectors (job `fill`) or a vector index (job `index`). */
export interface VectorsJob {
  readonly workspaceId: string;
}

/** Name of the queue of these jobs. */
export const NOTE_VECTORS_QUEUE = 'note-vectors';

const QUESTION_TIMEOUT_MS = 2_000;
const IDENTIFY_TIMEOUT_MS = 10_000;

/** Maintains and searches vectors of passages. Does nothing unless an embedder is configured. */
@Injectable()
export class NoteVectorsService implements OnModuleInit, OnApplicationBootstrap {
  private readonly embedder: Embedder | undefined;
  private readonly log = new Logger('NoteVectors');

  constructor(
    @Inject(ENV) private readonly env: Env,
    @Inject(DATABASE) private readonly database: Database,
    private readonly work: UnitOfWork,
    @Optional() @InjectQueue(NOTE_VECTORS_QUEUE) private readonly jobs: JobQueue<VectorsJob> | undefined,
    private readonly events: EventSubscriptionRegistry,
    egress: EgressClients,
  ) {
    const { embeddings } = env;
    this.embedder = embeddings && new Embedder(egress.for(embedderAccess(embeddings)), embeddings);
  }

  onModuleInit(): void {
    const { embedder } = this;
    if (!embedder) return;
    for (const type of ['note.saved', 'note.redacted'])
      this.events.subscribe(type, 'note-vectors', ({ workspaceId, payload }) =>
        this.embedNote(workspaceId, String(payload['note_id']), embedder),
      );
  }

  /** Enqueues a backfill for every workspace, for notes older than the embedder or embedded by another model. */
  async onApplicationBootstrap(): Promise<void> {
    if (!this.embedder || this.env.role === 'api') return;
    const all = await this.work.system(tx => tx.query<{ id: string }>('SELECT id FROM workspaces'));
    for (const { id } of all) await this.enqueue('fill', id);
  }

  /**
   * Embeds a question. Returns `none` without an embedder, and `down` if it fails within 2 s. Must be called before a
   * transaction is opened, so that a slow embedder holds no connection.
   */
  async embedQuestion(question: string): Promise<QuestionVector | 'none' | 'down'> {
    if (!this.embedder) return 'none';
    try {
      const { id, vectors } = await this.embedder.embed([question], QUESTION_TIMEOUT_MS);
      return { embedder: id, vector: vectors[0]! };
    } catch (error) {
      if (error instanceof EmbedderError) return 'down';
      throw error;
    }
  }

  /** Finds the notes nearest to a vector. */
  findNearest(tx: Tx, query: NearestNotesQuery): Promise<NearestNote[]> {
    return findNearestNotes(tx, query);
  }

  /** Enqueues a backfill after a search found notes without comparable vectors. Never throws. */
  async requestBackfill(workspaceId: string): Promise<void> {
    await this.enqueue('fill', workspaceId).catch(error =>
      this.log.warn(`Cannot enqueue the vector backfill: ${error}`),
    );
  }

  /** Embeds a saved note. If the embedder is unavailable, enqueues a backfill of the workspace. */
  private async embedNote(workspace: string, noteId: string, embedder: Embedder): Promise<void> {
    try {
      const filled = await embedNote(this.work, workspace, noteId, embedder);
      if (filled?.hasOthers) await this.enqueue('fill', workspace);
      else if (filled) await this.enqueueIndexIfMissing(workspace, filled.id);
    } catch (error) {
      if (!(error instanceof EmbedderError)) throw error;
      await this.enqueue('fill', workspace);
    }
  }

  /** Embeds all passages without vectors. The index is built by another job, because it takes minutes. */
  async backfill(workspace: string): Promise<void> {
    const { id } = await backfillEmbeddings(this.work, workspace, this.requireEmbedder());
    await this.enqueueIndexIfMissing(workspace, id);
  }

  private async enqueueIndexIfMissing(workspace: string, id: string): Promise<void> {
    const dims = await this.work.run(workspace, tx => findUnindexedDimensions(tx, id));
    if (dims !== undefined) await this.enqueue('index', workspace);
  }

  /** Enqueues a job at most once per workspace. If it is running, one more run follows. */
  async enqueue(name: VectorsJobName, workspaceId: string): Promise<void> {
    const deduplication = { id: `${name}-${workspaceId}`, keepLastIfActive: true };
    await this.jobs!.add(name, { workspaceId }, { deduplication });
  }

  /** Builds the vector index of a workspace if it is missing. */
  async buildIndex(workspace: string): Promise<void> {
    const id = await this.requireEmbedder().getId(IDENTIFY_TIMEOUT_MS);
    const dims = await this.work.run(workspace, tx => findUnindexedDimensions(tx, id));
    if (dims !== undefined) await createVectorIndex(this.database.pool, workspace, id, dims);
  }
  private requireEmbedder(): Embedder {
    if (!this.embedder) throw new Error('no embedder is configured');
    return this.embedder;
  }
}

/** Embeds passages and builds vector indexes, one workspace at a time. */
@Processor(NOTE_VECTORS_QUEUE, { concurrency: 1 })
export class NoteVectorsWorker extends JobProcessor<VectorsJob> {
  private readonly log = new Logger('NoteVectors');

  constructor(private readonly vectors: NoteVectorsService) {
    super();
  }

  run({ name, data: { workspaceId } }: ActiveJob<VectorsJob>): Promise<void> {
    return name === 'index' ? this.vectors.buildIndex(workspaceId) : this.vectors.backfill(workspaceId);
  }

  /** Enqueues a backfill again until every note has its vectors, however long the embedder is unavailable. */
  async onExhausted({ name, data: { workspaceId } }: ActiveJob<VectorsJob>, error: Error): Promise<void> {
    this.log.error(`The notes of ${workspaceId} have no vectors: ${error.message}`);
    if (name === 'fill') await this.vectors.enqueue('fill', workspaceId);
  }
}
