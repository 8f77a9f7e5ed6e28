/**
 * A webhook of the provider. The hub checks the signature over the bytes as they came, keeps them, answers 200, and
 * calls `@OnInbound` from a job.
 * @example
 * ```ts
 * { signature: { algorithm: 'hmac-sha256', header: 'x-hub-signature-256', prefix: 'sha256=', secretFrom: 'generated' },
 *   eventId: { header: 'x-github-delivery' } }
 * ```
 */
export interface InboundManifest {
  /** How the provider proves that it is the sender; null when it cannot, and the secret address is all there is. */
  readonly signature: InboundSignature | null;
  /** What the provider asks before it sends anything; the hub answers it by itself. */
  readonly handshake?: InboundHandshake;
  /**
   * Where the delivery's id stands: a header, or a field of the JSON body (`a.b` goes down). A repeat of an id is
   * taken and dropped. Default: `webhook-id` where the signature is `standard-webhooks`, else the SHA-256 of the body.
   */
  readonly eventId?: { readonly header: string } | { readonly field: string };
}

/**
 * A keyed hash over the body. `standard-webhooks` names the whole scheme of that standard (headers `webhook-id`,
 * `webhook-timestamp`, `webhook-signature`), of which only `secretFrom` remains to be said.
 * @example { algorithm: 'hmac-sha256', header: 'x-slack-signature', prefix: 'v0=', secretFrom: 'signing_secret',
 *   signed: 'v0:{timestamp}:{body}', timestampHeader: 'x-slack-request-timestamp' }
 */
export type InboundSignature = HmacSignature | StandardWebhooksSignature;

/**
 * A signature of the provider's own making, as most have.
 * @example { algorithm: 'hmac-sha256', header: 'x-cal-signature-256', secretFrom: 'generated' }
 */
export interface HmacSignature {
  readonly algorithm: 'hmac-sha256' | 'hmac-sha1' | 'hmac-sha512';
  /** The header that carries it, in lower case. */
  readonly header: string;
  /** Default: `hex`, in either case of letters. */
  readonly encoding?: 'hex' | 'base64';
  /** What stands before it in the header, such as `sha256=`. Default: nothing. */
  readonly prefix?: string;
  readonly secretFrom: SecretFrom;
  /** What is signed, with `{body}` and `{timestamp}` filled in. Default: `{body}`. */
  readonly signed?: string;
  /** The header with the time of sending in seconds since 1970, in lower case; needed when `{timestamp}` is signed. */
  readonly timestampHeader?: string;
  /** How far that time may be away from now, in seconds. Default: 300. */
  readonly toleranceSeconds?: number;
}

/**
 * The scheme of standardwebhooks.com.
 * @example { algorithm: 'standard-webhooks', secretFrom: 'generated' }
 */
export interface StandardWebhooksSignature {
  readonly algorithm: 'standard-webhooks';
  readonly secretFrom: SecretFrom;
}

/**
 * Where the key of a signature comes from: `generated` by the hub for each connection and handed to `connect`, or
 * the name of a secret field of the credentials, for providers that make it themselves.
 * @example const from: SecretFrom = 'generated';
 */
export type SecretFrom = 'generated' | (string & {});

/**
 * What a provider sends once, to see whether the address is ours: a GET whose query parameter is echoed, or a POST
 * in which one field has a certain value and another one is echoed. The answer is plain text.
 * @example { method: 'POST', when: { field: 'type', equals: 'url_verification' }, echo: 'challenge' }
 */
export type InboundHandshake =
  | { readonly method: 'GET'; readonly echo: string }
  | {
      readonly method: 'POST';
      readonly when: { readonly field: string; readonly equals: string };
      readonly echo: string;
    };
