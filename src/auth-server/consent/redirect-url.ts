import type { ConsentRequest } from './consent-state.service.js';

/** What a client is told by way of the browser (RFC 6749, 4.1.2). */
export type AuthorizationResponse =
  | { readonly code: string }
  | { readonly error: string; readonly error_description?: string };

/**
 * The address that leads a browser back to its client: the answer, the client's own `state`, and who answers (`iss`,
 * RFC 9207), so that it cannot be led to mistake one authorization server for another.
 */
export function buildRedirectUrl(
  { uri, state }: Pick<NonNullable<ConsentRequest['redirect']>, 'uri' | 'state'>,
  response: AuthorizationResponse,
  issuer: string,
): string {
  const params = new URLSearchParams({ ...response, ...(state !== undefined && { state }), iss: issuer });
  const [url] = uri.split('#');
  return `${url}${url!.includes('?') ? '&' : '?'}${params.toString()}`;
}
