import { Injectable } from '@nestjs/common';
import { isPlan } from '#domain/plans/tiers.js';
import type { InboundManifest } from '#sdk/manifest.inbound.js';
import { verifyInbound } from '#sdk/signature.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/errors.js';
import { ConnectionsService } from '../connections/connections.service.js';
import type { Connection } from '../connections/connection.js';
import { ConnectionVault, hashOf, workspaceIn } from '../connections/connection-vault.js';
import { readByHook } from '../connections/connections.queries.js';
import { secretFor } from '../connections/inbound-addresses.js';
import { PluginDirectory } from '../connections/plugin-directory.js';
import { JobDispatcher } from '../jobs/job-dispatcher.js';
import { InboundEvents } from './inbound-events.js';
import { InboundLimits } from './inbound-limits.js';
import { type Delivery, eventIdOf, handshakeAnswer } from './inbound-manifest.js';

/** What a provider is told. */
export type InboundAnswer =
  | { readonly echo: string }
  | { readonly ok: true; /** It was here before. */ readonly duplicate: boolean };

/**
 * Takes what providers send. A delivery is answered when it is kept for good, together with what will carry it to its
 * plugin; whatever is wrong with an address, it is told apart from none.
 */
@Injectable()
export class InboundDoor {
  private readonly limits = new InboundLimits();

  constructor(
    private readonly work: UnitOfWork,
    private readonly directory: PluginDirectory,
    private readonly vault: ConnectionVault,
    private readonly events: InboundEvents,
    private readonly dispatcher: JobDispatcher,
  ) {}

  /**
   * @param from who knocks, to count refusals by
   * @throws HubError `not_found` for an address that is none, is disconnected or is locked; `missing_signature`,
   *   `invalid_signature`, `rate_limited`, `unavailable`
   */
  async receive(token: string, name: string, delivery: Delivery, from: string): Promise<InboundAnswer> {
    const workspace = workspaceIn(token);
    if (workspace === undefined) return this.refuse(from, new HubError('not_found'));
    const outcome = await this.work.run(workspace, async tx => {
      const connection = await readByHook(tx, hashOf(token));
      const inbound = connection && this.inboundOf(connection, connection.plan, name);
      if (!inbound) return new HubError('not_found');
      const echo = handshakeAnswer(inbound.handshake, delivery);
      if (echo !== undefined) return { echo };
      if (delivery.method === 'GET') return new HubError('not_found');
      const problem = this.problemWith(inbound, connection, delivery);
      if (problem) return problem;
      await this.limits.countValid(connection.id);
      const kept = await this.events.keep(tx, connection, name, eventIdOf(inbound, delivery), delivery);
      return { ok: true as const, duplicate: kept === undefined };
    });
    if (outcome instanceof HubError) return this.refuse(from, outcome);
    this.dispatcher.wake();
    return outcome;
  }

  /**
   * What the manifest says of a webhook, when the plan includes its plugin. One that cannot be opened finds it later.
   * @throws HubError `unavailable` when it is disabled, or was not found
   */
  private inboundOf({ plugin: id }: Connection, plan: string, name: string): InboundManifest | undefined {
    const manifest = this.directory.manifestOf(id);
    if (!manifest) throw HubError.unavailable('This address is not served at the moment.', undefined, 60);
    const { inbound = {}, minPlan } = manifest;
    const locked = !isPlan(plan) || ConnectionsService.isLocked(plan, minPlan);
    return locked || !Object.hasOwn(inbound, name) ? undefined : inbound[name];
  }

  private problemWith({ signature }: InboundManifest, connection: Connection, { raw, headers }: Delivery) {
    if (!signature) return undefined;
    const verdict = verifyInbound(signature, this.secretOf(signature, connection), raw, headers, new Date());
    if (verdict === 'ok') return undefined;
    return new HubError(verdict === 'missing' ? 'missing_signature' : 'invalid_signature');
  }

  /** A key that nobody knows stands for a secret that the credentials lack: no signature fits it. */
  private secretOf(
    { algorithm, secretFrom }: NonNullable<InboundManifest['signature']>,
    connection: Connection,
  ): string {
    const hook = this.vault.openHook(connection);
    if (secretFrom === 'generated') return secretFor(algorithm, hook.secret);
    const secret = this.vault.openCredentials(connection)[secretFrom];
    return typeof secret === 'string' && secret !== '' ? secret : hook.token + hook.secret;
  }

  private async refuse(from: string, error: HubError): Promise<never> {
    await this.limits.countRefused(from);
    throw error;
  }
}
