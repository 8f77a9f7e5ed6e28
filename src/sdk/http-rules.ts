import { PermanentError, RetryLater } from './errors.js';
import type { PluginManifest } from './manifest/manifest.js';
import type { HttpRequest } from './ports/http.js';

/** Settings and credentials of a connection, which addresses can come from. */
type Values = Readonly<Record<'settings' | 'credentials', Readonly<Record<string, unknown>>>>;

const REFERENCE = /^(settings|credentials)\.([^.]+)$/;

/**
 * Completes and checks the URLs of a plugin's requests, as its manifest declares: in the hub and in the test harness.
 * Without `http` in the manifest, URLs are absolute and left as they are.
 */
export class HttpRules {
  private readonly baseUrl: string | undefined;
  private readonly hosts: readonly string[] | undefined;
  private readonly credentials: Values['credentials'];

  constructor(
    private readonly manifest: Pick<PluginManifest, 'id' | 'http'>,
    values: Values,
  ) {
    this.credentials = values.credentials;
    const { http } = manifest;
    if (!http) return;
    const { baseUrl, hosts = [] } = http;
    this.baseUrl = baseUrl === undefined ? undefined : (resolveReference(baseUrl, values) ?? undefined);
    const allowed = [...hosts, ...(baseUrl === undefined ? [] : [baseUrl])];
    this.hosts = allowed.flatMap(entry => toHost(resolveReference(entry, values)) ?? []);
  }

  /**
   * Returns the absolute URL of a request; one that begins with "/" is added to the base address.
   * @throws PermanentError if there is no base address, or if the manifest does not declare the host
   */
  resolve(url: string): string {
    if (!this.hosts) return url;
    const absolute = url.startsWith('/') ? this.addToBase(url) : url;
    if (URL.canParse(absolute)) this.requireDeclared(new URL(absolute), this.hosts);
    return absolute;
  }

  /**
   * Returns the header that authenticates a request of the connection.
   * @param accessToken token of a connection by OAuth 2.0; undefined with pasted credentials
   * @throws PermanentError if the manifest does not say which credential is sent, or if the connection has none
   */
  authHeaders(accessToken: string | undefined): Record<string, string> {
    if (accessToken !== undefined) return { authorization: `Bearer ${accessToken}` };
    const { id, http } = this.manifest;
    if (!http?.auth) throw new PermanentError(`auth: "connection" needs "http.auth" in the manifest of "${id}".`);
    const { credential, header = 'authorization', prefix = 'Bearer ' } = http.auth;
    const value = this.credentials[credential];
    if (typeof value === 'string') return { [header]: prefix + value };
    throw new PermanentError(`The connection has no credential "${credential}".`);
  }

  private addToBase(path: string): string {
    if (this.baseUrl !== undefined) return this.baseUrl.replace(/\/$/, '') + path;
    throw new PermanentError(
      `"${path}" is no absolute URL, and the manifest of "${this.manifest.id}" has no "http.baseUrl" to add it to.`,
    );
  }

  private requireDeclared({ host, hostname, port }: URL, hosts: readonly string[]): void {
    const isDeclared = hosts.some(allowed =>
      allowed.startsWith('*.') ? port === '' && hostname.endsWith(allowed.slice(1)) : host === allowed,
    );
    if (isDeclared) return;
    throw new PermanentError(
      `The manifest of "${this.manifest.id}" does not declare the host "${host}": add it to "http.hosts".`,
    );
  }
}

/** The access tokens of a connection by OAuth 2.0. */
export interface RenewableToken {
  /** Returns a token that has not expired. It is refreshed first if it has. */
  current(): Promise<string>;
  /** Returns another token after the provider refused this one. */
  renew(refused: string): Promise<string>;
  /** Has the connection wait until somebody signs in again. */
  reject(): Promise<never>;
}

/**
 * Sends a request with `auth: 'connection'`: with the pasted credential, or with an access token, which is refreshed once
 * if the provider refuses it.
 * @param token undefined with pasted credentials
 */
export async function sendAuthenticated<Answer extends { readonly status: number }>(
  request: HttpRequest,
  rules: HttpRules,
  token: RenewableToken | undefined,
  send: (request: HttpRequest) => Promise<Answer>,
): Promise<Answer> {
  const sendWith = (accessToken?: string) =>
    send({ ...request, headers: { ...request.headers, ...rules.authHeaders(accessToken) } });
  if (!token) return sendWith();
  const accessToken = await token.current();
  const response = await sendWith(accessToken);
  if (response.status !== 401) return response;
  const renewed = await token.renew(accessToken);
  if (isStream(request.body))
    throw new RetryLater(0, 'The access token was refreshed, but a stream is sent only once.');
  const retried = await sendWith(renewed);
  return retried.status === 401 ? token.reject() : retried;
}

/** Returns whether a body can be read only once. */
export function isStream(body: HttpRequest['body']): body is AsyncIterable<Uint8Array> {
  return typeof body === 'object' && Symbol.asyncIterator in body;
}

/** Encodes the fields of a form; undefined values are omitted. */
export function encodeForm(form: NonNullable<HttpRequest['form']>): string {
  const encoded = new URLSearchParams();
  for (const [name, value] of Object.entries(form)) if (value !== undefined) encoded.append(name, String(value));
  return encoded.toString();
}

/** Returns the value of a setting or credential that an entry names; other entries stand for themselves. */
function resolveReference(entry: string, values: Values): string | undefined {
  const [, group, field] = REFERENCE.exec(entry) ?? [];
  if (group === undefined || field === undefined) return entry;
  const value = values[group as keyof Values][field];
  return typeof value === 'string' ? value : undefined;
}

function toHost(address: string | undefined): string | undefined {
  if (address === undefined || !address.includes('://')) return address?.toLowerCase();
  return URL.canParse(address) ? new URL(address).host : undefined;
}
