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

/** The response to a provider: the echo of a handshake, or a receipt. */
export type WebhookReceipt =
  | { readonly echo: string }
  | { readonly ok: true; /** It was received before. */ readonly duplicate: boolean };

/**
 * Receives webhooks from providers. A delivery is acknowledged once it is committed together with its job. Unknown,
 * disconnected and locked addresses get the same error, so callers cannot distinguish them.
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
   * Verifies and saves a delivery, or responds to a handshake.
   * @param clientAddress IP address of the sender, by which rejections are counted
   * @throws HubError `not_found` for an address that is unknown, disconnected or locked; `missing_signature`,
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
      const eventId = computeEventId(inbound, request);
      const delivery = { name, eventId, isTimeless: isTimeless(inbound), request };
      const inboundId = await this.events.save(tx, connection, delivery);
      return { ok: true as const, duplicate: inboundId === undefined };
    });
    if (outcome instanceof HubError) return this.reject(clientAddress, outcome);
    this.dispatcher.wake();
    return outcome;
  }

  /**
   * Returns the declaration of a webhook if the plan includes its plugin. A plugin that cannot be started receives the
   * delivery later.
   * @throws HubError `unavailable` if the plugin is disabled or was not discovered
   */
  private findInbound({ plugin: id }: Connection, plan: string, name: string): InboundManifest | undefined {
    const manifest = this.directory.findManifest(id);
    if (!manifest) throw HubError.unavailable('This address does not accept deliveries at the moment.', undefined, 60);
    const { inbound = {}, minPlan } = manifest;
    const isLocked = !isPlan(plan) || ConnectionsService.isLocked(plan, minPlan);
    return isLocked || !Object.hasOwn(inbound, name) ? undefined : inbound[name];
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

  /**
   * Returns the signing secret. If the credentials lack it, returns a secret that no sender knows, so no signature
   * matches.
   */
  private findSecret(
    { algorithm, secretFrom }: NonNullable<InboundManifest['signature']>,
    connection: Connection,
  ): string {
    const webhookSecrets = this.vault.openWebhookSecrets(connection);
    if (secretFrom === 'generated') return toSigningSecret(algorithm, webhookSecrets.secret);
    const secret = this.vault.openCredentials(connection)[secretFrom];
    return typeof secret === 'string' && secret !== '' ? secret : webhookSecrets.token + webhookSecrets.secret;
  }

  private async reject(clientAddress: string, error: HubError): Promise<never> {
    await this.limits.countRejected(clientAddress);
    throw error;
  }
}

/** Returns whether a signature of this webhook stays valid for ever, because it covers no time. */
function isTimeless({ signature }: InboundManifest): boolean {
  if (!signature || signature.algorithm === 'standard-webhooks') return false;
  return !('signed' in signature && signature.signed?.includes('{timestamp}'));
}
