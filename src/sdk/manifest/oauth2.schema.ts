import { object } from './manifest.schema.parts.js';

const oauth2Url = {
  type: 'string',
  pattern: '^(https://|http://(localhost|127\\.0\\.0\\.1)[:/])[^\\s]+$',
  maxLength: 500,
};
const shortText = { type: 'string', description: 'A text.', minLength: 1, maxLength: 200 };

const providerSignIn = object('Sign-in at a provider by OAuth 2.0.', ['authorizeUrl', 'tokenUrl', 'scopes'], {
  providerName: { ...shortText, description: 'Name of the provider. Default: displayName of the plugin.' },
  authorizeUrl: { ...oauth2Url, description: 'Page of the provider on which a user signs in and approves.' },
  tokenUrl: { ...oauth2Url, description: 'Endpoint that issues and refreshes tokens.' },
  revokeUrl: { ...oauth2Url, description: 'Endpoint that revokes tokens. Default: tokens are not revoked.' },
  scopes: { type: 'array', description: 'Permissions to request.', maxItems: 100, items: shortText },
  scopeSeparator: { type: 'string', description: 'Text between scopes. Default: a space.', maxLength: 5 },
  pkce: { type: 'boolean', description: 'Whether the provider takes part in PKCE (S256). Default: true.' },
  clientAuth: { enum: ['body', 'basic'], description: 'How the client secret is sent. Default: body.' },
  authorizeParams: {
    type: 'object',
    description: 'Further parameters of the sign-in page.',
    maxProperties: 20,
    additionalProperties: { type: 'string', description: 'A value.', maxLength: 500 },
  },
  tokenFields: {
    type: 'array',
    description: 'Texts of the token response that become credentials.',
    maxItems: 20,
    items: shortText,
  },
});

const signInByProvider = object('Sign-in at one of several providers, by OAuth 2.0.', ['setting', 'providers'], {
  setting: { ...shortText, description: 'The setting that says at which provider people sign in.' },
  providers: {
    type: 'object',
    description: 'Sign-in by the value of the setting.',
    minProperties: 1,
    maxProperties: 20,
    propertyNames: { pattern: '^[a-z0-9][a-z0-9_-]{0,39}$' },
    additionalProperties: providerSignIn,
  },
});

/** Describes `OAuth2Manifest` and `OAuth2ByProvider`. */
export const oauth2Schema = {
  description: 'Sign-in by OAuth 2.0, at one provider or at one of several.',
  if: { required: ['providers'] },
  // oxlint-disable-next-line no-thenable -- a keyword of JSON Schema, with which only the faults of one form are reported
  then: signInByProvider,
  else: providerSignIn,
};
