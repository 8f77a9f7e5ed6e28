import { SUPPORTED_SCOPES, DEFAULT_SCOPES } from './scopes.js';
import { OAUTH_PATHS, type OAuthUrls } from './oauth.urls.js';
import { DEVICE_GRANT, REFRESH_GRANT } from './token.service.js';

/**
 * Builds the metadata of a protected resource (RFC 9728): the whole hub, or MCP. The scope `admin` is not listed,
 * because clients request all listed scopes.
 */
export function buildResourceMetadata({ issuer }: OAuthUrls, resource: string): object {
  return {
    resource,
    authorization_servers: [issuer],
    scopes_supported: DEFAULT_SCOPES,
    bearer_methods_supported: ['header'],
    resource_name: 'Rapport',
    resource_documentation: `${issuer}/docs`,
  };
}

/**
 * Builds the `WWW-Authenticate` header of a 401 of MCP: the metadata URL and the scopes to request (RFC 9728, section
 * 5.1).
 */
export function buildMcpChallenge({ toUrl }: OAuthUrls): string {
  return `Bearer resource_metadata="${toUrl(OAUTH_PATHS.resourceMetadata)}/mcp", scope="${DEFAULT_SCOPES.join(' ')}"`;
}

/** Builds the metadata of the authorization server (RFC 8414). */
export function buildServerMetadata({ issuer, toUrl }: OAuthUrls): object {
  return {
    issuer,
    authorization_endpoint: toUrl(OAUTH_PATHS.authorize),
    token_endpoint: toUrl(OAUTH_PATHS.token),
    device_authorization_endpoint: toUrl(OAUTH_PATHS.deviceAuthorization),
    registration_endpoint: toUrl(OAUTH_PATHS.register),
    revocation_endpoint: toUrl(OAUTH_PATHS.revoke),
    scopes_supported: SUPPORTED_SCOPES,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', REFRESH_GRANT, DEVICE_GRANT],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    service_documentation: `${issuer}/docs`,
  };
}
