import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { EgressAccess } from './egress-access.js';
import { EgressClient } from './egress.client.js';
import { HostResolver } from './host-resolver.js';

/**
 * Makes egress clients, one for each purpose, and closes their connections when the hub shuts down. There is no client
 * that all share, so nothing that is opened for one purpose is open for another.
 */
@Injectable()
export class EgressClients implements OnApplicationShutdown {
  private readonly clients: EgressClient[] = [];

  constructor(private readonly resolver: HostResolver) {}

  /** Makes a client with this access. Keep it: it holds connections until the hub ends. */
  for(access: EgressAccess): EgressClient {
    const client = new EgressClient(access, this.resolver);
    this.clients.push(client);
    return client;
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.clients.map(client => client.close()));
  }
}
