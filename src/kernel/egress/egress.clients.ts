import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { EgressAccess } from './egress-access.js';
import { EgressClient } from './egress.client.js';
import { HostResolver } from './host-resolver.js';

/**
 * Creates egress clients, one for each purpose, and closes their connections when the hub shuts down. No client is
 * shared, so access that is granted for one purpose does not apply to another.
 */
@Injectable()
export class EgressClients implements OnApplicationShutdown {
  private readonly clients: EgressClient[] = [];

  constructor(private readonly resolver: HostResolver) {}

  /** Creates a client with this access. Reuse it: it holds connections until the hub closes. */
  for(access: EgressAccess): EgressClient {
    const client = new EgressClient(access, this.resolver);
    this.clients.push(client);
    return client;
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.clients.map(client => client.close()));
  }
}
