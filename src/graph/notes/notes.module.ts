import { Module } from '@nestjs/common';
import { IdentityModule } from '../identity/identity.module.js';
import { ObservationsModule } from '../observations/observations.module.js';
import { NotesController } from './notes.controller.js';
import { NotesListService } from './notes-list.service.js';
import { NotesSearchService } from './notes-search.service.js';
import { NotesService } from './notes.service.js';

/** Notes on contacts, and the search over them. */
@Module({
  imports: [IdentityModule, ObservationsModule],
  controllers: [NotesController],
  providers: [NotesService, NotesListService, NotesSearchService],
  exports: [NotesService, NotesListService, NotesSearchService],
})
export class NotesModule {}
