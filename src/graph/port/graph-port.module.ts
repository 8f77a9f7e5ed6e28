import { Global, Module } from '@nestjs/common';
import { GraphPorts } from '#kernel/plugins/context/plugin-ports.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { NotesModule } from '../notes/notes.module.js';
import { ObservationsModule } from '../observations/observations.module.js';
import { GraphPortService } from './graph-port.service.js';
import { PeopleUpsert } from './people-upsert.js';

/** Gives the plugin host its way to the graph. */
@Global()
@Module({
  imports: [ObservationsModule, AccountsModule, NotesModule],
  providers: [PeopleUpsert, { provide: GraphPorts, useClass: GraphPortService }],
  exports: [GraphPorts],
})
export class GraphPortModule {}
