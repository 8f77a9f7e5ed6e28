import { Global, Module } from '@nestjs/common';
import { EgressClients } from './egress.clients.js';
import { HostResolver } from './host-resolver.js';

/** Makes {@link EgressClients} injectable everywhere. */
@Global()
@Module({ providers: [HostResolver, EgressClients], exports: [EgressClients] })
export class EgressModule {}
