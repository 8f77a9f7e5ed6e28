import { Global, Module } from '@nestjs/common';
import { ToldEvents } from '#kernel/plugins/jobs/told-events.js';
import { GraphPorts } from '#kernel/plugins/context/plugin-ports.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { NotesModule } from '../notes/notes.module.js';
import { PeopleModule } from '../people/people.module.js';
import { ObservationsModule } from '../observations/observations.module.js';
import { GraphPortService } from './graph-port.service.js';
import { InteractionsService } from './interactions.service.js';
import { PeopleUpsert } from './people-upsert.js';
import { ToldEventsService } from './told-events.service.js';

/** Gives the plugin host its way to the graph, and what plugins are told of it. */
@Global()
@Module({
  imports: [ObservationsModule, AccountsModule, NotesModule, PeopleModule],
  providers: [
    PeopleUpsert,
    InteractionsService,
    { provide: GraphPorts, useClass: GraphPortService },
    { provide: ToldEvents, useClass: ToldEventsService },
  ],
  exports: [GraphPorts, ToldEvents],
})
export class GraphPortModule {}
