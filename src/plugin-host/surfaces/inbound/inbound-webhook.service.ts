import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { isPlan } from '#domain/plans/tiers.js';
import type { InboundManifest } from '#sdk/manifest/manifest.js';
import { verifyInbound } from '#sdk/signature.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { HeldResponses } from '#kernel/limits/public-rate-limiter.js';
import { ConnectionsService } from '../../connections/connections.service.js';
import type { Connection } from '../../connections/connection.js';
import { ConnectionVault } from '../../connections/connection-vault.js';
import { hashWorkspaceToken, parseWorkspaceId } from '../../connections/workspace-token.js';
import { readByWebhookToken } from '../../connections/connections.queries.js';
import { toSigningSecret } from '../../connections/connection-urls.service.js';
import { PluginDirectory } from '../../connections/plugin.directory.js';
import { JobDispatcher } from '../../jobs/job.dispatcher.js';
import { InboundEventStore } from './inbound-event.store.js';
import { InboundRateLimiter } from './inbound.routes.js';
import { type WebhookRequest, computeEventId, toHandshakeResponse } from './webhook-request.js';

/** The response to a provider: the echo of a handshake, or a receipt. */
export type WebhookReceipt =
  | { readonly echo: string }
  | { readonly ok: true; /** It was received before. */ readonly duplicate: boolean };

const MAX_SEEN = 10_000;
/** How long a connection is remembered, in milliseconds. */
const SEEN_TTL_MS = 600_000;

/**
 * Receives webhooks from providers. A delivery is acknowledged once it is committed together with its job. Unknown,
 * disconnected and locked addresses get the same error, so callers cannot distinguish them.
 * A network that sent many rejected deliveries is refused before the database is read, unless the signature matches a
 * connection that is remembered: behind a proxy all senders may share an address.
 */
@Injectable()
export class InboundWebhookService {
  private readonly limits: InboundRateLimiter;
  /** Connections that received something lately, by the hash of their token; their secrets are sealed. */
  private readonly seen = new LRUCache<string, Connection>({ max: MAX_SEEN, ttl: SEEN_TTL_MS });

  constructor(
    private readonly work: UnitOfWork,
    private readonly directory: PluginDirectory,
    private readonly vault: ConnectionVault,
    private readonly events: InboundEventStore,
    private readonly dispatcher: JobDispatcher,
    responses: HeldResponses,
  ) {
    this.limits = new InboundRateLimiter(responses);
  }

  /**
   * Verifies and saves a delivery, or responds to a handshake.
   * @param clientAddress IP address of the sender, by which rejections are counted
   * @throws HubError `not_found` for an address that is unknown, disconnected or locked; `missing_signature`,
   *   `invalid_signature`, `rate_limited`, `unavailable`
   */
  async receive(token: string, name: string, request: WebhookRequest, clientAddress: string): Promise<WebhookReceipt> {
    const workspace = parseWorkspaceId(token);
    if (workspace === undefined) return this.reject(clientAddress, new HubError('not_found'));
    const tokenHash = hashWorkspaceToken(token);
    await this.limits.admit(clientAddress, () => this.isGenuine(tokenHash, name, request));
    const outcome = await this.work.run(workspace, async tx => {
      const connection = await readByWebhookToken(tx, tokenHash);
      const inbound = connection && this.findInbound(connection, connection.plan, name);
      if (!inbound) return new HubError('not_found');
      this.seen.set(tokenHash.toString('hex'), connection);
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

  /** Returns whether a signature matches a remembered connection, without reading the database. */
  private isGenuine(tokenHash: Buffer, name: string, request: WebhookRequest): boolean {
    const connection = this.seen.get(tokenHash.toString('hex'));
    const inbound = connection && this.directory.findManifest(connection.plugin)?.inbound?.[name];
    return inbound?.signature ? this.verifySignature(inbound, connection!, request) === undefined : false;
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
