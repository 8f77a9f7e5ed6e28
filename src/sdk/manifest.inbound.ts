/**
 * A webhook from the provider. The hub verifies the signature over the raw bytes, stores them, responds 200, and
 * calls `@OnInbound` from a job.
 * @example
 * ```ts
 * { signature: { algorithm: 'hmac-sha256', header: 'x-hub-signature-256', prefix: 'sha256=', secretFrom: 'generated' },
 *   eventId: { header: 'x-github-delivery' } }
 * ```
 */
export interface InboundManifest {
  /** How the provider signs its webhooks; null if it does not, so that only the secret address protects the webhook. */
  readonly signature: InboundSignature | null;
  /** Verification request that the provider sends first; the hub responds to it. */
  readonly handshake?: InboundHandshake;
  /**
   * Location of the delivery ID: a header, or a field of the JSON body (`a.b` is a nested field). Deliveries with a
   * known ID are accepted and dropped. Default: `webhook-id` for `standard-webhooks` signatures, otherwise the SHA-256
   * of the body.
   */
  readonly eventId?: { readonly header: string } | { readonly field: string };
}

/**
 * An HMAC over the body. `standard-webhooks` stands for the complete scheme of that standard (headers `webhook-id`,
 * `webhook-timestamp`, `webhook-signature`), which needs only `secretFrom`.
 * @example { algorithm: 'hmac-sha256', header: 'x-slack-signature', prefix: 'v0=', secretFrom: 'signing_secret',
 *   signed: 'v0:{timestamp}:{body}', timestampHeader: 'x-slack-request-timestamp' }
 */
export type InboundSignature = HmacSignature | StandardWebhooksSignature;

/**
 * A signature in a format of the provider.
 * @example { algorithm: 'hmac-sha256', header: 'x-cal-signature-256', secretFrom: 'generated' }
 */
export interface HmacSignature {
  readonly algorithm: 'hmac-sha256' | 'hmac-sha1' | 'hmac-sha512';
  /** The header with the signature, in lower case. */
  readonly header: string;
  /** Encoding of the signature. Default: `hex`, in upper or lower case. */
  readonly encoding?: 'hex' | 'base64';
  /** Text before the signature in the header, such as `sha256=`. Default: none. */
  readonly prefix?: string;
  readonly secretFrom: SecretFrom;
  /** Template of the signed text, with `{body}` and `{timestamp}`. Default: `{body}`. */
  readonly signed?: string;
  /** The header with the time in seconds since 1970, in lower case; required if `signed` contains `{timestamp}`. */
  readonly timestampHeader?: string;
  /** Maximum difference between that time and now, in seconds. Default: 300. */
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
 * Source of the signing key: `generated` by the hub for each connection and passed to `connect`, or the name of a
 * secret field of the credentials, for providers that generate the key.
 * @example const from: SecretFrom = 'generated';
 */
export type SecretFrom = 'generated' | (string & {});

/**
 * Request with which a provider verifies the address: a GET whose query parameter is echoed, or a POST in which one
 * field has a certain value and another one is echoed. The response is plain text.
 * @example { method: 'POST', when: { field: 'type', equals: 'url_verification' }, echo: 'challenge' }
 */
export type InboundHandshake =
  | { readonly method: 'GET'; readonly echo: string }
  | {
      readonly method: 'POST';
      readonly when: { readonly field: string; readonly equals: string };
      readonly echo: string;
    };
