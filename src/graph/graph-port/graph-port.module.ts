import { Global, Module } from '@nestjs/common';
import { PluginEventMapper } from '#plugin-host/surfaces/events/event.subscriber.js';
import { GraphPortFactory } from '#plugin-host/context/plugin-ports.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { ChangesModule } from '../changes/changes.module.js';
import { FactsModule } from '../facts/facts.module.js';
import { IdentityModule } from '../identity/identity.module.js';
import { LeadsModule } from '../leads/leads.module.js';
import { NotesModule } from '../notes/notes.module.js';
import { PeopleModule } from '../people/people.module.js';
import { ObservationsModule } from '../observations/observations.module.js';
import { RetractionsModule } from '../retractions/retractions.module.js';
import { BulkService } from './bulk.service.js';
import { CompaniesUpsertService } from './companies-upsert.service.js';
import { EntityReadsService } from './entity-reads.service.js';
import { GraphPortService } from './graph-port.service.js';
import { InteractionsService } from './interactions.service.js';
import { PeopleUpsertService } from './people-upsert.service.js';
import { PluginLeadsService } from './plugin-leads.service.js';
import { PluginEventMapperService } from './plugin-event-mapper.service.js';

/** Provides the plugin host with access to the graph, and maps internal events to plugin events. */
@Global()
@Module({
  imports: [
    FactsModule,
    IdentityModule,
    ObservationsModule,
    AccountsModule,
    ChangesModule,
    NotesModule,
    PeopleModule,
    LeadsModule,
    RetractionsModule,
  ],
  providers: [
    BulkService,
    PeopleUpsertService,
    CompaniesUpsertService,
    InteractionsService,
    PluginLeadsService,
    EntityReadsService,
    { provide: GraphPortFactory, useClass: GraphPortService },
    { provide: PluginEventMapper, useClass: PluginEventMapperService },
  ],
  exports: [GraphPortFactory, PluginEventMapper],
})
export class GraphPortModule {}
