import { readEnv } from '#kernel/config/env.js';

const OIDC_ISSUER = 'https://login.acme.example/realms/acme';
const CLIENT = { OIDC_CLIENT_ID: 'rapport', OIDC_CLIENT_SECRET: 'a secret' };

it('single sign-on needs an issuer and a client, and is named after the host of the issuer', () => {
  expect(readEnv({}).oidc).toBeUndefined();
  expect(readEnv({ OIDC_ISSUER, ...CLIENT }).oidc).toEqual({
    issuer: OIDC_ISSUER,
    clientId: 'rapport',
    clientSecret: 'a secret',
    name: 'login.acme.example',
  });
  expect(readEnv({ OIDC_ISSUER, ...CLIENT, OIDC_NAME: 'Acme SSO' }).oidc).toMatchObject({ name: 'Acme SSO' });
});

it('an issuer is the same with and without the slash after its host', () => {
  const issuers = ['https://acme.example', 'https://acme.example/'].map(
    each => readEnv({ OIDC_ISSUER: each, ...CLIENT }).oidc!.issuer,
  );
  expect(new Set(issuers).size).toBe(1);
});

it.each([
  [{ OIDC_ISSUER, OIDC_CLIENT_SECRET: 'a secret' }, 'OIDC_CLIENT_ID: must be set'],
  [{ OIDC_ISSUER, OIDC_CLIENT_ID: 'rapport' }, 'OIDC_CLIENT_SECRET: must be set'],
  [{ OIDC_ISSUER: 'http://login.acme.example', ...CLIENT }, 'OIDC_ISSUER: must be an https address'],
  [{ OIDC_ISSUER: 'acme', ...CLIENT }, 'OIDC_ISSUER: '],
])('the settings %j are refused with the name of the variable', (environment, message) => {
  expect(() => readEnv(environment)).toThrow(message);
});

it('an issuer on this machine may be http', () => {
  expect(readEnv({ OIDC_ISSUER: 'http://localhost:8080', ...CLIENT }).oidc).toMatchObject({ name: 'localhost:8080' });
});
