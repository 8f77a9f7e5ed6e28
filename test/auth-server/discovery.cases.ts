import { generateKey } from '#kernel/auth/key-format.js';
import type { OAuthGround } from './oauth.fixture.js';

/** How a client that knows nothing but the address of MCP finds the rest. */
export function discoveryCases(ground: () => OAuthGround): void {
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(ground().url + path, { headers });
    return {
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as Record<string, unknown>,
    };
  };

  it.each([
    ['no key', {}],
    ['what is no key', { authorization: 'Bearer x' }],
    ['a key that nobody has', { authorization: `Bearer ${generateKey().key}` }],
  ])('is told by a 401 of MCP where to look, with %s', async (_, headers: Record<string, string>) => {
    const response = await fetch(`${ground().url}/mcp`, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json', ...headers },
    });
    expect([response.status, await response.text()]).toEqual([401, '{"error":"unauthorized"}']);
    const metadata = `${ground().publicUrl}/.well-known/oauth-protected-resource/mcp`;
    expect(response.headers.get('www-authenticate')).toBe(`Bearer resource_metadata="${metadata}", scope="read write"`);
  });

  it('finds the resource and its server, by PUBLIC_URL whatever the host of the request', async () => {
    const { publicUrl } = ground();
    for (const [path, resource] of [
      ['', publicUrl],
      ['/mcp', `${publicUrl}/mcp`],
    ]) {
      const { status, body, headers } = await get(`/.well-known/oauth-protected-resource${path}`, {
        'x-forwarded-host': 'evil.test',
      });
      expect([status, headers.get('access-control-allow-origin')]).toEqual([200, '*']);
      expect(body).toMatchObject({ resource, authorization_servers: [publicUrl], scopes_supported: ['read', 'write'] });
    }
    const { body } = await get('/.well-known/oauth-authorization-server');
    expect(body).toMatchObject({
      issuer: publicUrl,
      authorization_endpoint: `${publicUrl}/oauth/authorize`,
      token_endpoint: `${publicUrl}/oauth/token`,
      registration_endpoint: `${publicUrl}/oauth/register`,
      revocation_endpoint: `${publicUrl}/oauth/revoke`,
      device_authorization_endpoint: `${publicUrl}/oauth/device_authorization`,
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
    });
    expect((await get('/.well-known/openid-configuration')).body).toEqual(body);
  });

  it('may ask from any page', async () => {
    const requested = { 'access-control-request-method': 'POST', origin: 'http://localhost:6274' };
    for (const path of ['/oauth/token', '/oauth/register', '/.well-known/oauth-authorization-server']) {
      const { status, headers } = await fetch(ground().url + path, { method: 'OPTIONS', headers: requested });
      expect([path, status, headers.get('access-control-allow-origin')]).toEqual([path, 204, '*']);
    }
    const page = await fetch(`${ground().url}/auth/approvals/decision`, { method: 'OPTIONS', headers: requested });
    expect(page.headers.get('access-control-allow-origin')).toBe(ground().publicUrl);
  });
}
