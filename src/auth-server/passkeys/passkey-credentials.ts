import type {
  AuthenticationResponseJSON,
  RegistrationResponseJSON,
  VerifiedAuthenticationResponse,
  VerifiedRegistrationResponse,
} from '@simplewebauthn/server';
import { z } from 'zod';
import { HubError } from '#kernel/errors/hub-error.js';
import type { StoredPasskey } from './passkeys.queries.js';

const MAX_LENGTH = 16_384;
const base64url = z
  .string()
  .max(MAX_LENGTH)
  .regex(/^[\w-]+$/);
const common = { id: base64url, rawId: base64url, type: z.literal('public-key') };
const REGISTRATION = z.object({
  ...common,
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z.array(z.string().max(30)).max(10).default([]),
  }),
});
const SIGN_IN = z.object({
  ...common,
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
  }),
});

/** Where credentials have to come from. */
export interface RelyingParty {
  /** Host of the hub, such as `rapport.acme.com`. */
  readonly id: string;
  readonly origin: string;
}

/** Returns where the credentials of a hub have to come from. */
export function toRelyingParty(publicUrl: string): RelyingParty {
  const { hostname, origin } = new URL(publicUrl);
  return { id: hostname, origin };
}

/** Parses the credential that a browser has created. @throws HubError `invalid_request` */
export function parseRegistration(credential: unknown): RegistrationResponseJSON {
  return { ...parse(REGISTRATION, credential), clientExtensionResults: {} };
}

/** Parses the credential by which a browser signs in. @throws HubError `invalid_request` */
export function parseSignIn(credential: unknown): AuthenticationResponseJSON {
  return { ...parse(SIGN_IN, credential), clientExtensionResults: {} };
}

function parse<Output>(schema: z.ZodType<Output>, credential: unknown): Output {
  const { data, error } = schema.safeParse(credential);
  if (data !== undefined) return data;
  const path = error!.issues[0]?.path.join('.') ?? '';
  throw HubError.invalidField('credential', `must be what PublicKeyCredential.toJSON() returns; look at "${path}"`);
}

/** Returns the challenge that a credential answers; undefined if it has none. */
export function readChallenge({ response }: RegistrationResponseJSON | AuthenticationResponseJSON): string | undefined {
  try {
    const data: unknown = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString());
    return z.object({ challenge: z.string() }).safeParse(data).data?.challenge;
  } catch {
    return undefined;
  }
}

/**
 * Verifies a new credential. Attestations with certificates are refused: nobody asks for them, and verifying a chain would
 * fetch addresses that the sender chooses.
 * @returns undefined if it is not valid
 */
export async function verifyRegistration(
  response: RegistrationResponseJSON,
  challenge: string,
  { id, origin }: RelyingParty,
): Promise<VerifiedRegistrationResponse['registrationInfo']> {
  const [{ verifyRegistrationResponse }, { decodeAttestationObject, isoBase64URL }] = await Promise.all([
    import('@simplewebauthn/server'),
    import('@simplewebauthn/server/helpers'),
  ]);
  try {
    const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.response.attestationObject));
    const isPlain = ['none', 'packed'].includes(attestation.get('fmt')) && !attestation.get('attStmt').get('x5c');
    if (!isPlain) return undefined;
    const verified = await verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
    });
    return verified.registrationInfo;
  } catch {
    return undefined;
  }
}

/** Verifies that a credential signed a challenge with a passkey. @returns undefined if it did not */
export async function verifySignIn(
  response: AuthenticationResponseJSON,
  challenge: string,
  { id, origin }: RelyingParty,
  { credentialId, publicKey, signCount, transports }: StoredPasskey,
): Promise<VerifiedAuthenticationResponse['authenticationInfo'] | undefined> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      credential: { id: credentialId, publicKey: new Uint8Array(publicKey), counter: signCount, transports },
      requireUserVerification: true,
    });
    return verified ? authenticationInfo : undefined;
  } catch {
    return undefined;
  }
}
