import { Inject, Injectable } from '@nestjs/common';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import type { EgressAccess } from '#kernel/egress/egress-access.js';
import type { EgressClient } from '#kernel/egress/egress.client.js';
import { EgressClients } from '#kernel/egress/egress.clients.js';

/** Keeps one egress client per plugin, each with the access of that plugin and with connections of its own. */
@Injectable()
export class PluginEgressClients {
  private readonly clients = new Map<string, EgressClient>();

  constructor(
    private readonly egress: EgressClients,
    @Inject(ENV) private readonly env: Env,
  ) {}

  /** Returns the client that sends the requests of a plugin. @param plugin id of its manifest */
  clientFor(plugin: string): EgressClient {
    let client = this.clients.get(plugin);
    if (!client) this.clients.set(plugin, (client = this.egress.for(toEgressAccess(plugin, this.env))));
    return client;
  }
}

/**
 * Returns the addresses that a plugin may call besides public https addresses. Plugins call providers that the operator
 * knows, so they share `EGRESS_ALLOWLIST`. Triggers post to any URL that a user enters and show the response, so they
 * have a separate list.
 */
function toEgressAccess(
  plugin: string,
  { egressAllowlist, triggersEgressAllowlist, calendarApiUrl }: Env,
): EgressAccess {
  if (plugin === 'triggers')
    return { allowlist: { setting: 'TRIGGERS_EGRESS_ALLOWLIST', entries: triggersEgressAllowlist } };
  const trustedUrls = plugin === 'calcom' && calendarApiUrl !== undefined ? [calendarApiUrl] : [];
  return { allowlist: { setting: 'EGRESS_ALLOWLIST', entries: egressAllowlist }, trustedUrls };
}
