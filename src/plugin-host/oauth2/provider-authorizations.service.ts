import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import * as oauth from 'oauth4webapi';
import { HOUR_US, type Instant, toIso } from '#domain/time/instant.js';
import type { Caller } from '#kernel/auth/caller.js';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { newId } from '#kernel/ids.js';
import { assignWorkspace } from '#kernel/request-context.js';
import { SecretBox } from '#kernel/secrets/secret-box.js';
import { findWorkspace } from '#kernel/workspaces/workspaces.repository.js';
import type { PluginManifest } from '#sdk/manifest/manifest.js';
import { listSignIns, type ProviderSignIn, selectSignIn, signInSetting } from '#sdk/manifest/oauth2-rules.js';
import { resolveProvider, mergeSettings } from '../connections/connect.input.js';
import { type Connection, isEstablished } from '../connections/connection.js';
import { type ConnectionRef, findConnection, toSlot } from '../connections/connection-lookup.js';
import { ConnectionUrlsService } from '../connections/connection-urls.service.js';
import { ConnectorService } from '../connections/connector.service.js';
import { readConnectionInSlot } from '../connections/connections.queries.js';
import { type ConnectablePlugin, PluginDirectory } from '../connections/plugin.directory.js';
import { generateWorkspaceToken, hashWorkspaceToken, parseWorkspaceId } from '../connections/workspace-token.js';
import { useIssuedToken } from './access-tokens.js';
import type { ProviderAuthorization } from './provider-authorization.js';
import {
  deleteAuthorization,
  insertAuthorization,
  readAuthorization,
  saveAttempt,
  takeAttempt,
} from './provider-authorizations.queries.js';
import { type IssuedTokens, TokenEndpointClient, TokenRequestError } from './token-endpoint.client.js';

/** How long a link works: a person may have to find an administrator of the provider first. */
const LINK_TTL_US: Instant = HOUR_US;

/** What the connection is to have. */
export interface AuthorizationInput {
  /** Settings; without them those of an existing connection stay. */
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
  /** Display name; without it that of an existing connection stays. */
  readonly name?: string | undefined;
}

/** A link for a person. */
export interface AuthorizationLink {
  readonly provider_name: string;
  readonly authorization_url: string;
  readonly expires_at: string;
}

/** What a person decides on. */
export interface AuthorizationRequest {
  readonly id: string;
  readonly providerName: string;
  readonly workspaceName: string;
  readonly scopes: readonly string[];
}

/** A connection that was made by signing in. */
export type FinishedAuthorization = Pick<AuthorizationRequest, 'providerName' | 'workspaceName'>;

/** A link with what it belongs to. */
interface OpenAuthorization {
  readonly row: ProviderAuthorization;
  readonly plugin: ConnectablePlugin;
  readonly signIn: ProviderSignIn;
  readonly workspaceName: string;
}

/**
 * Connects providers by sign-in (OAuth 2.0, authorization code). A link names the workspace; the person who opens it goes
 * on to the provider, and comes back with a code, which is exchanged for the tokens of the connection.
 */
@Injectable()
export class ProviderAuthorizationsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly directory: PluginDirectory,
    private readonly connector: ConnectorService,
    private readonly urls: ConnectionUrlsService,
    private readonly endpoint: TokenEndpointClient,
    private readonly box: SecretBox,
    @Inject(ENV) private readonly env: Env,
  ) {}

  /**
   * Creates a link with which somebody signs in at a provider.
   * @throws HubError `unknown_provider`, `plan_required`, `plugin_not_ready`, `connection_not_found`; `invalid_request` for a wrong setting or a
   *   provider without sign-in; `oauth_client_missing` if the operator has not registered this hub with the provider
   */
  async request(
    { workspaceId, plan, actor }: Caller,
    ref: ConnectionRef,
    input: AuthorizationInput,
  ): Promise<AuthorizationLink> {
    const plugin = resolveProvider(this.directory, plan, ref.plugin);
    const existing = await this.findExisting(workspaceId, plugin, ref.id, input.name);
    const settings = mergeSettings(plugin, input.settings ? {} : (existing?.settings ?? {}), input);
    const { name: provider_name } = this.requireSignIn(plugin, settings);
    await this.urls.check(plugin.manifest, { credentials: {}, settings });
    const link = generateWorkspaceToken(workspaceId);
    const expiresAt = await this.work.run(workspaceId, async tx => {
      const expiry = (await tx.now()) + LINK_TTL_US;
      await insertAuthorization(tx, {
        id: newId(),
        linkHash: hashWorkspaceToken(link),
        connectionId: ref.id ?? null,
        plugin: plugin.id,
        name: input.name?.trim() || existing?.name || null,
        settings,
        requestedBy: actor,
        expiresAt: expiry,
      });
      return expiry;
    });
    return { provider_name, authorization_url: `${this.env.publicUrl}/connect/${link}`, expires_at: toIso(expiresAt) };
  }

  /**
   * Returns whether somebody without credentials connects a plugin by a link: its sign-in is set up, or it takes no credentials.
   */
  offersLink({ manifest }: ConnectablePlugin, settings: Connection['settings']): boolean {
    const signIn = selectSignIn(manifest, settings);
    return signIn !== undefined && (this.endpoint.isConfigured(signIn) || manifest.credentials === undefined);
  }

  /** Returns what a link is for. @throws HubError `not_found` if it has expired or was used */
  async describe(link: string): Promise<AuthorizationRequest> {
    const { row, signIn, workspaceName } = await this.open(link);
    return { id: row.id, providerName: signIn.name, workspaceName, scopes: signIn.oauth2.scopes };
  }

  /**
   * Begins an attempt to sign in.
   * @param nonce random text that the browser returns with the redirect of the provider
   * @returns the address of the provider's page
   * @throws HubError `not_found` if the link has expired or was used
   */
  async begin(link: string, nonce: string): Promise<{ readonly signInUrl: string; readonly providerName: string }> {
    const { row, plugin, signIn } = await this.open(link);
    const { workspaceId, id, settings } = row;
    const [state, verifier] = [generateWorkspaceToken(workspaceId), oauth.generateRandomCodeVerifier()];
    const attempt = {
      stateHash: hashWorkspaceToken(state),
      nonceHash: hash(nonce),
      verifier: this.box.seal({ workspace: workspaceId, owner: id, field: 'verifier' }, verifier),
    };
    await this.work.run(workspaceId, tx => saveAttempt(tx, id, attempt));
    const signInUrl = await this.endpoint.buildSignInUrl({ manifest: plugin.manifest, settings }, state, verifier);
    return { signInUrl, providerName: signIn.name };
  }

  /**
   * Connects the provider with the code with which it sent the browser back.
   * @param query parameters of the redirect
   * @param findNonce returns the nonce that the browser holds for a link
   * @throws HubError `not_found` for an unknown or used state or another browser, those of `ConnectorService.connect`
   * @throws TokenRequestError if the person declined, or if the provider issued no tokens
   */
  async finish(query: URLSearchParams, findNonce: (id: string) => string | undefined): Promise<FinishedAuthorization> {
    const state = query.get('state') ?? '';
    const workspaceId = parseWorkspaceId(state);
    const row = workspaceId && (await this.work.run(workspaceId, tx => takeAttempt(tx, hashWorkspaceToken(state))));
    if (!row || !isSame(row.nonceHash, findNonce(row.id))) throw new HubError('not_found');
    assignWorkspace(workspaceId, row.requestedBy);
    const { plugin, signIn, workspaceName } = await this.load(row);
    const source = { manifest: plugin.manifest, settings: row.settings };
    const verifier = this.box.open({ workspace: workspaceId, owner: row.id, field: 'verifier' }, row.verifier ?? '');
    const issued = await this.endpoint.exchange(source, query, { state, verifier });
    await this.connect(plugin, row, issued);
    await this.work.run(workspaceId, async tx => deleteAuthorization(tx, row.id));
    return { providerName: signIn.name, workspaceName };
  }

  /** Returns the connection that gets new tokens: the one with this ID or, for a plugin, of this name. */
  private async findExisting(
    workspaceId: string,
    { id: plugin, manifest }: ConnectablePlugin,
    id: string | undefined,
    name = manifest.displayName,
  ): Promise<Connection | undefined> {
    const found = await this.work.run(workspaceId, tx =>
      id ? findConnection(tx, { plugin, id }) : readConnectionInSlot(tx, plugin, toSlot(manifest, name)),
    );
    return found && isEstablished(found) ? found : undefined;
  }

  private async connect(plugin: ConnectablePlugin, row: ProviderAuthorization, issued: IssuedTokens): Promise<void> {
    const { settings, name, workspaceId } = row;
    const input = {
      plugin,
      connectionId: row.connectionId ?? undefined,
      settings,
      name: name ?? plugin.manifest.displayName,
      credentials: issued.fields,
      tokens: useIssuedToken(issued.accessToken),
      issued,
    };
    try {
      await this.connector.connectSignedIn(workspaceId, input);
    } catch (error) {
      const token = issued.refreshToken ?? issued.accessToken;
      await this.endpoint.revoke({ manifest: plugin.manifest, settings }, token).catch(ignoreTokenRequestError);
      throw error;
    }
  }

  private async open(link: string): Promise<OpenAuthorization> {
    const workspaceId = parseWorkspaceId(link);
    const row =
      workspaceId && (await this.work.run(workspaceId, tx => readAuthorization(tx, hashWorkspaceToken(link))));
    if (!row) throw new HubError('not_found');
    return this.load(row);
  }

  private async load(row: ProviderAuthorization): Promise<OpenAuthorization> {
    const workspace = await findWorkspace(this.work, row.workspaceId);
    if (!workspace) throw new HubError('not_found');
    const plugin = resolveProvider(this.directory, workspace.plan, row.plugin);
    const signIn = this.requireSignIn(plugin, row.settings);
    return { row, plugin, signIn, workspaceName: workspace.name };
  }

  private requireSignIn({ manifest }: ConnectablePlugin, settings: Connection['settings']): ProviderSignIn {
    const signIn = selectSignIn(manifest, settings);
    if (!signIn) throw createNoSignInError(manifest);
    if (this.endpoint.isConfigured(signIn)) return signIn;
    throw new HubError('oauth_client_missing', {
      detail:
        `The operator of this hub has to register it with ${signIn.name}, with the redirect address ` +
        `${this.endpoint.redirectUri}, and set the client of "${signIn.client}" in OAUTH_CLIENTS.`,
    });
  }
}

/** 400: the plugin has no sign-in, or none for these settings. */
function createNoSignInError(manifest: PluginManifest): HubError {
  const setting = signInSetting(manifest);
  if (setting === null) {
    const message = `${manifest.displayName} has no sign-in: connect it with credentials, by POST /v2/workspace/integrations.`;
    return HubError.invalidRequest([{ field: 'plugin', message }]);
  }
  const values = listSignIns(manifest).map(({ value }) => `"${value}"`);
  const message = `People sign in with ${values.join(' or ')}; others are connected with credentials, by POST /v2/workspace/integrations.`;
  return HubError.invalidRequest([{ field: `settings.${setting}`, message }]);
}

function ignoreTokenRequestError(error: unknown): void {
  if (!(error instanceof TokenRequestError)) throw error;
}

/** Returns a nonce for the browser that begins an attempt. */
export function createNonce(): string {
  return randomBytes(24).toString('base64url');
}

function hash(nonce: string): Buffer {
  return createHash('sha256').update(nonce).digest();
}

function isSame(nonceHash: Buffer | null | undefined, nonce: string | undefined): boolean {
  return nonceHash != null && nonce !== undefined && timingSafeEqual(nonceHash, hash(nonce));
}
