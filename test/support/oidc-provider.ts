import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

/** A person as the provider knows them. */
export interface ProviderPerson {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
}

const CLIENT_ID = 'rapport';
const CLIENT_SECRET = 'a secret of the provider and the hub';

interface ProviderOptions {
  /** Address of the hub as browsers see it. */
  readonly publicUrl: string;
  readonly clientAuth?: 'client_secret_basic' | 'client_secret_post';
  /** Whether ID tokens have address and name; otherwise only the userinfo endpoint has them. Default false. */
  readonly hasFullIdTokens?: boolean;
}

/** A real OpenID Connect provider on this machine, whose people sign in without a password. */
export class OidcTestProvider {
  /** Who signs in next; null cancels. */
  person: ProviderPerson | null = null;
  /** Whether it publishes other keys than those with which it signs. */
  publishesOtherKeys = false;
  /** Whether it answers every request with status 503. */
  isDown = false;
  private readonly people = new Map<string, ProviderPerson>();

  private constructor(
    private readonly server: Server,
    readonly issuer: string,
    private readonly provider: Provider,
  ) {
    const serve = provider.callback();
    server.on('request', (request, response) => void this.answer(request, response, serve));
  }

  /** Starts a provider at a free port. */
  static async start({
    publicUrl,
    clientAuth = 'client_secret_basic',
    hasFullIdTokens = false,
  }: ProviderOptions): Promise<OidcTestProvider> {
    const server = createServer();
    await new Promise<void>(resolve => void server.listen(0, 'localhost', resolve));
    const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
    let running: OidcTestProvider;
    const provider: Provider = new Provider(issuer, {
      clients: [
        {
          client_id: CLIENT_ID,
          client_secret: CLIENT_SECRET,
          redirect_uris: [`${publicUrl}/auth/single-sign-on/callback`],
          token_endpoint_auth_method: clientAuth,
        },
      ],
      clientAuthMethods: [clientAuth],
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
      conformIdTokenClaims: !hasFullIdTokens,
      cookies: { keys: ['a key for cookies'] },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      jwks: { keys: [createKey('signing')] },
      ttl: { AccessToken: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
      pkce: { required: () => true },
      findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ ...running.people.get(sub), sub }) }),
      // Everybody who signs in has allowed the hub to know who they are.
      loadExistingGrant: async ({ oidc }) => {
        const grant = new provider.Grant({ clientId: CLIENT_ID, accountId: oidc.session!.accountId! });
        grant.addOIDCScope('openid email profile');
        await grant.save();
        return grant;
      },
    });
    return (running = new OidcTestProvider(server, issuer, provider));
  }

  /** Settings of a hub whose people sign in here. */
  get settings(): Record<string, string> {
    return {
      OIDC_ISSUER: this.issuer,
      OIDC_CLIENT_ID: CLIENT_ID,
      OIDC_CLIENT_SECRET: CLIENT_SECRET,
      OIDC_NAME: 'Acme SSO',
    };
  }

  /**
   * Goes through the sign-in of {@link person}, as a browser does.
   * @param url address that the hub gave
   * @returns path and query with which the browser comes back to the hub
   */
  async signIn(url: string, person: ProviderPerson | null): Promise<string> {
    this.person = person;
    const cookies = new Map<string, string>();
    let next = new URL(url);
    while (next.origin === this.issuer) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const response = await fetch(next, { redirect: 'manual', headers: { cookie } });
      for (const line of response.headers.getSetCookie()) {
        const [pair = ''] = line.split(';');
        cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
      }
      const location = response.headers.get('location');
      if (location === null) throw new Error(`the provider answered ${response.status}: ${await response.text()}`);
      next = new URL(location, next);
    }
    return next.pathname + next.search;
  }

  async end(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise(resolve => void this.server.close(resolve));
  }

  private async answer(
    request: IncomingMessage,
    response: ServerResponse,
    serve: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  ): Promise<void> {
    if (this.isDown) return void response.writeHead(503).end();
    if (this.publishesOtherKeys && request.url === '/jwks')
      return void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ keys: [createKey('signing')] }));
    if (!request.url!.startsWith('/interaction/')) return serve(request, response);
    const { person } = this;
    if (person) this.people.set(person.sub, person);
    await this.provider.interactionFinished(
      request,
      response,
      person ? { login: { accountId: person.sub } } : { error: 'access_denied', error_description: 'cancelled' },
    );
  }
}

function createKey(kid: string) {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' };
}
