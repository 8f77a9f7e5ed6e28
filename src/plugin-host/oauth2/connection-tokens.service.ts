import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import type { Instant } from '#domain/time/instant.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { errorMessage } from '#kernel/telemetry/throttled-logger.js';
import { UnreachableError } from '#sdk/errors.js';
import type { PluginManifest } from '#sdk/manifest/manifest.js';
import { selectSignIn } from '#sdk/manifest/oauth2-rules.js';
import type { Connection } from '../connections/connection.js';
import { ConnectionVault } from '../connections/connection-vault.js';
import { markReconnect } from '../connections/connections.queries.js';
import { ReconnectRequiredError } from '../reconnect-required.error.js';
import type { AccessTokens } from './access-tokens.js';
import { leaseTokens, readTokens, releaseTokens, saveTokens, type StoredTokens } from './connection-tokens.queries.js';
import { TokenEndpointClient, TokenRequestError } from './token-endpoint.client.js';

/** A token is refreshed this long before it expires, because clocks differ and requests take time. */
const EXPIRY_MARGIN_US: Instant = 60_000_000;
/** Longer than a refresh takes. If its process dies, another one refreshes after this time. */
const LEASE_MS = 20_000;
/** How long a request waits for the refresh of another process. */
const MAX_WAIT_MS = 15_000;
const POLL_MS = 100;

/** What is needed of a connection to refresh its tokens. */
type TokenOwner = Pick<Connection, 'workspaceId' | 'id' | 'settings' | 'pluginVersion'>;

/** Tokens in clear text. */
interface OpenTokens {
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
  readonly expiresAt: Instant | null;
}

/**
 * Gives out the access tokens of connections and refreshes them: once at a time for each connection, whatever the number
 * of requests and processes, because many providers take a refresh token only once.
 */
@Injectable()
export class ConnectionTokensService {
  private readonly log = new Logger('connections');
  /** Refreshes of this process by connection and refused token, which requests share. */
  private readonly refreshes = new Map<string, Promise<OpenTokens>>();

  constructor(
    private readonly work: UnitOfWork,
    private readonly vault: ConnectionVault,
    private readonly endpoint: TokenEndpointClient,
  ) {}

  /**
   * Returns the access tokens of a connection; undefined if its credentials were pasted. Its methods throw
   * `ReconnectRequiredError` if somebody has to sign in again, and `UnreachableError` if the provider gives no tokens now.
   * @throws UnsealError if the tokens cannot be decrypted
   */
  open(connection: Connection, manifest: PluginManifest): AccessTokens | undefined {
    if (!connection.tokens) return undefined;
    let tokens = this.unseal(connection, { sealed: connection.tokens, expiresAt: connection.tokensExpireAt });
    const used = new Set([tokens.accessToken]);
    const refresh = async (refused?: string): Promise<string> => {
      tokens = await this.refresh(connection, manifest, refused);
      used.add(tokens.accessToken);
      return tokens.accessToken;
    };
    return {
      current: async () => (isExpired(tokens) ? refresh() : tokens.accessToken),
      renew: refused => refresh(refused),
      reject: () => this.requireSignIn(connection, `${manifest.displayName} refuses the access token.`),
      secrets: () => [...used],
    };
  }

  /** Revokes the tokens of a connection that has ended. Failures are logged: the provider may have ended them already. */
  async revoke(connection: Connection, manifest: PluginManifest): Promise<void> {
    if (!connection.tokens || !selectSignIn(manifest, connection.settings)?.oauth2.revokeUrl) return;
    try {
      // They may have been refreshed since the connection was read.
      const stored = await this.work.run(connection.workspaceId, tx => readTokens(tx, connection.id));
      if (!stored) return;
      const { accessToken, refreshToken } = this.unseal(connection, stored);
      await this.endpoint.revoke({ manifest, settings: connection.settings }, refreshToken ?? accessToken);
    } catch (error) {
      this.log.warn(`The tokens of a connection to ${connection.plugin} were not revoked: ${errorMessage(error)}`);
    }
  }

  /** @param refused a token that the provider refused; else any valid one of another process is used */
  private async refresh(owner: TokenOwner, manifest: PluginManifest, refused: string | undefined): Promise<OpenTokens> {
    // A request whose token was refused must not get that token from the refresh of one whose token had expired.
    const key = JSON.stringify([owner.workspaceId, owner.id, refused]);
    let refresh = this.refreshes.get(key);
    if (!refresh) {
      refresh = this.refreshOnce(owner, manifest, refused).finally(() => this.refreshes.delete(key));
      this.refreshes.set(key, refresh);
    }
    return refresh;
  }

  private async refreshOnce(
    owner: TokenOwner,
    manifest: PluginManifest,
    refused: string | undefined,
  ): Promise<OpenTokens> {
    const isUsable = (tokens: OpenTokens) => tokens.accessToken !== refused && !isExpired(tokens);
    for (const deadline = Date.now() + MAX_WAIT_MS; Date.now() < deadline; await pause(POLL_MS)) {
      const leased = await this.work.run(owner.workspaceId, tx => leaseTokens(tx, owner.id, LEASE_MS));
      if (leased) return this.refreshLeased(owner, manifest, this.unseal(owner, leased), isUsable);
      const stored = await this.work.run(owner.workspaceId, tx => readTokens(tx, owner.id));
      if (!stored) throw new ReconnectRequiredError('The connection was ended.');
      const tokens = this.unseal(owner, stored);
      if (isUsable(tokens)) return tokens;
    }
    throw new UnreachableError(`${manifest.displayName} takes long to refresh the access token. Try again later.`);
  }

  private async refreshLeased(
    owner: TokenOwner,
    manifest: PluginManifest,
    held: OpenTokens,
    isUsable: (tokens: OpenTokens) => boolean,
  ): Promise<OpenTokens> {
    const { workspaceId, id, settings } = owner;
    try {
      if (isUsable(held)) return held;
      if (held.refreshToken === undefined)
        return await this.requireSignIn(owner, `The sign-in at ${manifest.displayName} has expired.`);
      const issued = await this.endpoint.refresh({ manifest, settings }, held.refreshToken);
      const { accessToken, expiresAt } = issued;
      const tokens = { accessToken, refreshToken: issued.refreshToken ?? held.refreshToken, expiresAt };
      const sealed = this.vault.sealTokens(owner, tokens);
      await this.work.run(workspaceId, async tx => saveTokens(tx, id, { sealed, expiresAt }));
      return tokens;
    } catch (error) {
      if (!(error instanceof TokenRequestError)) throw error;
      if (error.reason === 'refused') return await this.requireSignIn(owner, error.message);
      throw new UnreachableError(error.message);
    } finally {
      await this.work.run(workspaceId, async tx => releaseTokens(tx, id));
    }
  }

  private async requireSignIn({ workspaceId, id, pluginVersion }: TokenOwner, reason: string): Promise<never> {
    await this.work.run(workspaceId, async tx => markReconnect(tx, id, pluginVersion, reason));
    throw new ReconnectRequiredError(reason);
  }

  private unseal(owner: Pick<Connection, 'workspaceId' | 'id'>, { sealed, expiresAt }: StoredTokens): OpenTokens {
    return { ...this.vault.openTokens(owner, sealed), expiresAt };
  }
}

function isExpired({ expiresAt }: OpenTokens): boolean {
  return expiresAt !== null && expiresAt - EXPIRY_MARGIN_US <= Date.now() * 1_000;
}
