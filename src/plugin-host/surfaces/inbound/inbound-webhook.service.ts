import { Injectable } from '@nestjs/common';
import { isPlan } from '#domain/plans/tiers.js';
import type { InboundManifest } from '#sdk/manifest.inbound.js';
import { verifyInbound } from '#sdk/signature.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { ConnectionsService } from '../../connections/connections.service.js';
import type { Connection } from '../../connections/connection.js';
import { ConnectionVault, hashWebhookToken, parseWorkspaceId } from '../../connections/connection-vault.js';
import { readByWebhookToken } from '../../connections/connections.queries.js';
import { toSigningSecret } from '../../connections/webhook-urls.js';
import { PluginDirectory } from '../../connections/plugin.directory.js';
import { JobDispatcher } from '../../jobs/job.dispatcher.js';
import { InboundEventStore } from './inbound-event.store.js';
import { InboundRateLimiter } from './inbound.rate-limiter.js';
import { type WebhookRequest, computeEventId, toHandshakeResponse } from './webhook-request.js';

/** What a provider is told. */
export type WebhookReceipt =
  | { readonly echo: string }
  | { readonly ok: true; /** It was here before. */ readonly duplicate: boolean };

/**
 * Takes what providers send. A delivery is answered when it is kept for good, together with what will carry it to its
 * plugin; whatever is wrong with an address, it is told apart from none.
 */
@Injectable()
export class InboundWebhookService {
  private readonly limits = new InboundRateLimiter();

  constructor(
    private readonly work: UnitOfWork,
    private readonly directory: PluginDirectory,
    private readonly vault: ConnectionVault,
    private readonly events: InboundEventStore,
    private readonly dispatcher: JobDispatcher,
  ) {}

  /**
   * @param clientAddress who knocks, to count refusals by
   * @throws HubError `not_found` for an address that is none, is disconnected or is locked; `missing_signature`,
   *   `invalid_signature`, `rate_limited`, `unavailable`
   */
  async receive(token: string, name: string, request: WebhookRequest, clientAddress: string): Promise<WebhookReceipt> {
    const workspace = parseWorkspaceId(token);
    if (workspace === undefined) return this.reject(clientAddress, new HubError('not_found'));
    const outcome = await this.work.run(workspace, async tx => {
      const connection = await readByWebhookToken(tx, hashWebhookToken(token));
      const inbound = connection && this.findInbound(connection, connection.plan, name);
      if (!inbound) return new HubError('not_found');
      const echo = toHandshakeResponse(inbound.handshake, request);
      if (echo !== undefined) return { echo };
      if (request.method === 'GET') return new HubError('not_found');
      const problem = this.verifySignature(inbound, connection, request);
      if (problem) return problem;
      await this.limits.countValid(connection.id);
      const inboundId = await this.events.save(tx, connection, name, computeEventId(inbound, request), request);
      return { ok: true as const, duplicate: inboundId === undefined };
    });
    if (outcome instanceof HubError) return this.reject(clientAddress, outcome);
    this.dispatcher.wake();
    return outcome;
  }

  /**
   * What the manifest says of a webhook, when the plan includes its plugin. One that cannot be opened finds it later.
   * @throws HubError `unavailable` when it is disabled, or was not found
   */
  private findInbound({ plugin: id }: Connection, plan: string, name: string): InboundManifest | undefined {
    const manifest = this.directory.findManifest(id);
    if (!manifest) throw HubError.unavailable('This address is not served at the moment.', undefined, 60);
    const { inbound = {}, minPlan } = manifest;
    const locked = !isPlan(plan) || ConnectionsService.isLocked(plan, minPlan);
    return locked || !Object.hasOwn(inbound, name) ? undefined : inbound[name];
  }

  private verifySignature(
    { signature }: InboundManifest,
    connection: Connection,
    { rawBody, headers }: WebhookRequest,
  ) {
    if (!signature) return undefined;
    const verdict = verifyInbound(signature, this.findSecret(signature, connection), rawBody, headers, new Date());
    if (verdict === 'ok') return undefined;
    return new HubError(verdict === 'missing' ? 'missing_signature' : 'invalid_signature');
  }

  /** A key that nobody knows stands for a secret that the credentials lack: no signature fits it. */
  private findSecret(
    { algorithm, secretFrom }: NonNullable<InboundManifest['signature']>,
    connection: Connection,
  ): string {
    const hook = this.vault.openWebhookSecrets(connection);
    if (secretFrom === 'generated') return toSigningSecret(algorithm, hook.secret);
    const secret = this.vault.openCredentials(connection)[secretFrom];
    return typeof secret === 'string' && secret !== '' ? secret : hook.token + hook.secret;
  }

  private async reject(clientAddress: string, error: HubError): Promise<never> {
    await this.limits.countRejected(clientAddress);
    throw error;
  }
}
