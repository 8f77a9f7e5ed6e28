import { Processor } from '@nestjs/bullmq';
import { Logger } from '@nestjs/common';
import { type ActiveJob, JobProcessor } from '#kernel/queue/job-processor.js';
import { NOTE_VECTORS_QUEUE, NoteVectorsService, type VectorsJob } from './note-vectors.service.js';

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
