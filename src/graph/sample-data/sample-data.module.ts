import { Module } from '@nestjs/common';
import { LeadsModule } from '../leads/leads.module.js';
import { NotesModule } from '../notes/notes.module.js';
import { ObservationsModule } from '../observations/observations.module.js';
import { RetractionsModule } from '../retractions/retractions.module.js';
import { SampleDataController } from './sample-data.controller.js';
import { SampleDataService } from './sample-data.service.js';

/** Invented people and companies, with which a new workspace can be tried. */
@Module({
  imports: [ObservationsModule, NotesModule, LeadsModule, RetractionsModule],
  controllers: [SampleDataController],
  providers: [SampleDataService],
})
export class SampleDataModule {}
