import { OAuthClientMetadataSchema } from '@modelcontextprotocol/sdk/shared/auth.js';
import { InvalidClientMetadataError } from '@modelcontextprotocol/sdk/server/auth/errors.js';

/** A program that requests an API key. All clients are public: none has a secret. */
export interface OAuthClient {
  readonly id: string;
  /** Its own name for itself; at most 100 characters without control characters. */
  readonly name: string;
  /** The host that vouches for the name; undefined if the name is unverified. */
  readonly host?: string;
  readonly redirectUris: readonly string[];
  /** The origin of its API keys. */
  readonly origin: 'oauth' | 'cli';
}

/** The hub's own CLI. It needs no registration and redirects to any port of its machine. */
export const CLI_CLIENT: OAuthClient = {
  id: 'rapport-cli',
  name: 'Rapport CLI',
  redirectUris: ['http://127.0.0.1/callback', 'http://localhost/callback'],
  origin: 'cli',
};

const MAX_NAME_LENGTH = 100;

/** Makes a name safe to display: one line without control or direction characters, at most `maxLength` characters. */
export function sanitizeName(text: string | undefined, fallback: string, maxLength = MAX_NAME_LENGTH): string {
  const clean = (text ?? '')
    .toWellFormed()
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .trim();
  return [...clean].slice(0, maxLength).join('').trim() || fallback;
}

const MAX_URI_LENGTH = 2_000;
const LOOPBACK_HOSTS = new Set(['127.0.0.1', '[::1]', 'localhost']);
/** Schemes that browsers handle themselves, or that do not lead to an app that waits for an authorization response. */
const FORBIDDEN_SCHEMES =
  /^(?:about|blob|chrome|data|file|filesystem|ftp|intent|javascript|mailto|sms|tel|vbscript|view-source|wss?):$/;

/**
 * Returns the problem of a redirect URI; undefined if it is valid. Allowed are https, http to a loopback host, and
 * private schemes of apps.
 */
export function findRedirectUriProblem(uri: string): string | undefined {
  const url = uri.length <= MAX_URI_LENGTH ? URL.parse(uri) : null;
  if (!url) return `redirect_uris must be URLs of at most ${MAX_URI_LENGTH} characters`;
  if (uri.includes('#')) return 'a redirect_uri must not have a fragment';
  if (url.username || url.password) return 'a redirect_uri must not have a user name or password';
  if (FORBIDDEN_SCHEMES.test(url.protocol))
    return 'a redirect_uri must not have a scheme that browsers handle themselves';
  if (url.protocol === 'http:' && !LOOPBACK_HOSTS.has(url.hostname))
    return 'a redirect_uri must be https, except for loopback addresses such as http://127.0.0.1';
  return undefined;
}

/**
 * Returns whether a redirect URI is registered. It must match exactly, except for the port of a loopback URI, which the
 * program chooses at run time (RFC 8252, section 7.3).
 */
export function isRegisteredRedirectUri(uri: string, registered: readonly string[]): boolean {
  if (findRedirectUriProblem(uri) !== undefined) return false;
  return registered.some(each => each === uri || isSameLoopbackUri(each, uri));
}

function isSameLoopbackUri(registered: string, uri: string): boolean {
  const portless = stripLoopbackPort(registered);
  return portless !== undefined && portless === stripLoopbackPort(uri);
}

/** Removes the port of an http loopback URI; returns undefined for any other URI. */
function stripLoopbackPort(uri: string): string | undefined {
  const [, start, rest] = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?((?:[/?].*)?)$/.exec(uri) ?? [];
  return start === undefined ? undefined : start + rest;
}

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
