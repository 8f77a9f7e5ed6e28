import { OAuthClientMetadataSchema } from '@modelcontextprotocol/sdk/shared/auth.js';
import { InvalidClientMetadataError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { sanitizeName } from './oauth-client.js';
import { findRedirectUriProblem } from './redirect-uris.js';

const MAX_REDIRECT_URIS = 20;

/** What we take from what a client says of itself. */
export interface ClientMetadata {
  readonly name: string;
  readonly redirectUris: readonly string[];
}

/**
 * Reads the metadata of a client (RFC 7591): its name and where answers go. The rest is for others; what would need
 * more than a public client with PKCE is refused.
 * @throws InvalidClientMetadataError
 */
export function parseClientMetadata(given: unknown): ClientMetadata {
  const parsed = OAuthClientMetadataSchema.partial({ redirect_uris: true }).safeParse(given);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new InvalidClientMetadataError(`${issue?.path.join('.') || 'The metadata'}: ${issue?.message ?? 'unusable'}`);
  }
  const { client_name, redirect_uris = [], grant_types, response_types } = parsed.data;
  const problem =
    (redirect_uris.length > MAX_REDIRECT_URIS && `there may be at most ${MAX_REDIRECT_URIS} redirect_uris`) ||
    redirect_uris.map(findRedirectUriProblem).find(problem => problem !== undefined) ||
    (redirect_uris.length === 0 && usesCodeGrant(grant_types) && 'send redirect_uris') ||
    (response_types &&
      !response_types.includes('code') &&
      usesCodeGrant(grant_types) &&
      'the only response type is "code"');
  if (problem) throw new InvalidClientMetadataError(problem);
  return { name: sanitizeName(client_name, 'A program without a name'), redirectUris: redirect_uris };
}

/** By default a client uses codes (RFC 7591, 2). */
function usesCodeGrant(grantTypes: readonly string[] = ['authorization_code']): boolean {
  return grantTypes.includes('authorization_code');
}
