import { type DynamicModule, Module } from '@nestjs/common';
import type { Env } from '#kernel/config/env.js';
import { registerQueue } from '#kernel/queue/bull.js';
import { NotesModule } from '../notes.module.js';
import { NOTE_VECTORS_QUEUE, NoteVectorsWorker } from './note-vectors.service.js';

/** Registers the queue of vectors and its worker, which take connections, only if an embedder is configured. */
@Module({})
export class NoteVectorsModule {
  static forRoot(env: Env): DynamicModule {
    if (!env.embeddings) return { module: NoteVectorsModule };
    const queue = registerQueue(NOTE_VECTORS_QUEUE);
    return {
      module: NoteVectorsModule,
      global: true,
      imports: [queue, NotesModule],
      providers: [NoteVectorsWorker],
      exports: [queue],
    };
  }
}
