import type { Ask } from './ticket.service.js';

/** What a client is told by way of the browser (RFC 6749, 4.1.2). */
export type RedirectAnswer =
  | { readonly code: string }
  | { readonly error: string; readonly error_description?: string };

/**
 * The address that leads a browser back to its client: the answer, the client's own `state`, and who answers (`iss`,
 * RFC 9207), so that it cannot be led to mistake one authorization server for another.
 */
export function redirectTo(
  { uri, state }: Pick<NonNullable<Ask['redirect']>, 'uri' | 'state'>,
  answer: RedirectAnswer,
  issuer: string,
): string {
  const added = new URLSearchParams({ ...answer, ...(state !== undefined && { state }), iss: issuer });
  const [address] = uri.split('#');
  return `${address}${address!.includes('?') ? '&' : '?'}${added.toString()}`;
}
