import { Global, Module } from '@nestjs/common';
import { EgressClients } from './egress.client.js';
import { HostResolver } from './egress-rules.js';

/** Makes {@link EgressClients} injectable everywhere. */
@Global()
@Module({ providers: [HostResolver, EgressClients], exports: [EgressClients] })
export class EgressModule {}
