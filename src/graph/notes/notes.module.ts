import { Module } from '@nestjs/common';
import { EventsModule } from '#kernel/events/events.module.js';
import { IdentityModule } from '../identity/identity.module.js';
import { ObservationsModule } from '../observations/observations.module.js';
import { OpenTextModule } from '../open-text/open-text.module.js';
import { NoteExtractionService } from './note-extraction.service.js';
import { NoteVectorsService } from './embedder/note-vectors.service.js';
import { NotesController } from './notes.controller.js';
import { NotesListService } from './notes-list.service.js';
import { NotesSearchService } from './notes-search.service.js';
import { NotesService } from './notes.service.js';
import { NotesTools } from './notes.tools.js';

/** Provides the endpoints and tools of notes, and their search. */
@Module({
  imports: [EventsModule, IdentityModule, ObservationsModule, OpenTextModule],
  controllers: [NotesController],
  providers: [
    NotesService,
    NoteExtractionService,
    NotesListService,
    NotesSearchService,
    NoteVectorsService,
    NotesTools,
  ],
  exports: [NotesService, NotesListService, NotesSearchService, NoteVectorsService],
})
export class NotesModule {}
