import { OAuthClientMetadataSchema } from '@modelcontextprotocol/sdk/shared/auth.js';
import { InvalidClientMetadataError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { sanitizeName } from './oauth-client.js';
import { findRedirectUriProblem } from './redirect-uris.js';

const MAX_REDIRECT_URIS = 20;

/** The part of a client's metadata that the hub uses. */
export interface ClientMetadata {
  readonly name: string;
  readonly redirectUris: readonly string[];
}

/**
 * Parses the metadata of a client (RFC 7591): its name and redirect URIs; other fields are ignored.
 * @throws InvalidClientMetadataError for invalid metadata, and for clients that need more than the code flow with PKCE
 */
export function parseClientMetadata(metadata: unknown): ClientMetadata {
  const parsed = OAuthClientMetadataSchema.partial({ redirect_uris: true }).safeParse(metadata);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new InvalidClientMetadataError(`${issue?.path.join('.') || 'The metadata'}: ${issue?.message ?? 'invalid'}`);
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
  return { name: sanitizeName(client_name, 'Unnamed program'), redirectUris: redirect_uris };
}

/** Returns whether a client uses authorization codes, which is the default (RFC 7591, section 2). */
function usesCodeGrant(grantTypes: readonly string[] = ['authorization_code']): boolean {
  return grantTypes.includes('authorization_code');
}
