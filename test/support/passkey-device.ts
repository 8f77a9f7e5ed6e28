import {
  createECDH,
  createHash,
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';

/** How a {@link PasskeyDevice} answers otherwise than it should. */
export interface Misbehaviour {
  readonly origin?: string;
  readonly challenge?: string;
  /** Whether the person was verified by a fingerprint, a face or a PIN. Default true. */
  readonly isVerified?: boolean;
  readonly format?: string;
  /** Whether a manufacturer vouches for the passkey by a certificate. Default false. */
  readonly isCertified?: boolean;
}

interface Options {
  readonly challenge: string;
}

/**
 * Certificate of a manufacturer that does not exist, for the private key whose 32 bytes are all 1. Made by `openssl req -x509
 * -subj "/C=SE/O=Test/OU=Authenticator Attestation/CN=T" -addext basicConstraints=critical,CA:FALSE`.
 */
const CERTIFICATE = Buffer.from(
  'MIIB7TCCAZKgAwIBAgIUFdWsvLCCd9PxlvTU8PG4D+VvUSswCgYIKoZIzj0EAwIwTDELMAkGA1UEBhMCU0UxDTALBgNVBAoMBFRl' +
    'c3QxIjAgBgNVBAsMGUF1dGhlbnRpY2F0b3IgQXR0ZXN0YXRpb24xCjAIBgNVBAMMAVQwIBcNMjYxMTMwMTQxMzA2WhgPMjEyNjEx' +
    'MDYxNDEzMDZaMEwxCzAJBgNVBAYTAlNFMQ0wCwYDVQQKDARUZXN0MSIwIAYDVQQLDBlBdXRoZW50aWNhdG9yIEF0dGVzdGF0aW9u' +
    'MQowCAYDVQQDDAFUMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEb/A7lJJBzh2t1DUZ5pYOCoW0GmmgXDKBA6orzhWUyhY8T3U6' +
    'Vb8B3FP2wLDH7ueLQMb/fSWpbiKCuYnO9xwUSqNQME4wHQYDVR0OBBYEFC4GLHlmXnzSwy5GG3xXwywA9BQwMB8GA1UdIwQYMBaA' +
    'FC4GLHlmXnzSwy5GG3xXwywA9BQwMAwGA1UdEwEB/wQCMAAwCgYIKoZIzj0EAwIDSQAwRgIhAPYOHEf8QGRFAmZSpP+A4POcW2rn' +
    'JXL1OiOFbSRZJpD0AiEApCaP+d03Y8/LtilXY9XiuKW6NwaDyJ0H16BpyDfuIs8=',
  'base64',
);

function createManufacturerKey(): KeyObject {
  const secret = Buffer.alloc(32, 1);
  const curve = createECDH('prime256v1');
  curve.setPrivateKey(secret);
  const point = curve.getPublicKey();
  const [d, x, y] = [secret, point.subarray(1, 33), point.subarray(33)].map(each => each.toString('base64url'));
  return createPrivateKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', d: d!, x: x!, y: y! } });
}

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

/** An authenticator in software: one passkey on the curve P-256, whose answers are those of `PublicKeyCredential.toJSON()`. */
export class PasskeyDevice {
  readonly id = randomBytes(32);
  private readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  /** Count of signatures so far. */
  signCount = 0;

  constructor(private readonly origin: string) {}

  /** Creates the passkey. */
  create({ challenge }: Options, wrong: Misbehaviour = {}): object {
    const { x, y } = this.keys.publicKey.export({ format: 'jwk' });
    const point = [x!, y!].map(each => Buffer.from(each, 'base64url'));
    const hex = (text: string) => Buffer.from(text, 'hex');
    const coseKey = Buffer.concat([hex('a5010203262001215820'), point[0]!, hex('225820'), point[1]!]);
    const idLength = Buffer.from([0, this.id.length]);
    const credential = Buffer.concat([Buffer.alloc(16), idLength, this.id, coseKey]);
    const data = Buffer.concat([this.buildData(HAS_CREDENTIAL, wrong), credential]);
    const clientData = this.buildClientData('webauthn.create', challenge, wrong);
    const { format = 'none', isCertified = false } = wrong;
    const statement = isCertified ? buildCertifiedStatement(data, clientData) : hex('a0');
    const attestation = Buffer.concat([
      hex('a3'),
      toCborText('fmt'),
      toCborText(format),
      toCborText('attStmt'),
      statement,
      toCborText('authData'),
      Buffer.from([0x58, data.length]),
      data,
    ]);
    return this.toJson({
      clientDataJSON: clientData,
      attestationObject: attestation,
    });
  }

  /** Signs in by the passkey. */
  get({ challenge }: Options, wrong: Misbehaviour = {}): object {
    this.signCount++;
    const clientData = this.buildClientData('webauthn.get', challenge, wrong);
    const data = this.buildData(0, wrong);
    const signed = Buffer.concat([data, createHash('sha256').update(clientData).digest()]);
    const signature = sign('sha256', signed, this.keys.privateKey);
    return this.toJson({ clientDataJSON: clientData, authenticatorData: data, signature });
  }

  private buildClientData(type: string, challenge: string, wrong: Misbehaviour): Buffer {
    const { origin = this.origin } = wrong;
    return Buffer.from(JSON.stringify({ type, challenge: wrong.challenge ?? challenge, origin, crossOrigin: false }));
  }

  private buildData(flags: number, { isVerified = true }: Misbehaviour): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(this.signCount);
    const party = createHash('sha256').update(new URL(this.origin).hostname).digest();
    return Buffer.concat([party, Buffer.from([flags | USER_PRESENT | (isVerified ? USER_VERIFIED : 0)]), count]);
  }

  private toJson(response: Record<string, Buffer>): object {
    const id = this.id.toString('base64url');
    const encoded = Object.entries(response).map(([name, bytes]) => [name, bytes.toString('base64url')]);
    return { id, rawId: id, type: 'public-key', response: Object.fromEntries(encoded), clientExtensionResults: {} };
  }
}

/** Returns a statement `packed` in CBOR: algorithm, signature and certificate of the manufacturer. */
function buildCertifiedStatement(data: Buffer, clientData: Buffer): Buffer {
  const signed = Buffer.concat([data, createHash('sha256').update(clientData).digest()]);
  const signature = sign('sha256', signed, createManufacturerKey());
  const length = Buffer.alloc(2);
  length.writeUInt16BE(CERTIFICATE.length);
  return Buffer.concat([
    Buffer.from([0xa3]),
    toCborText('alg'),
    Buffer.from([0x26]),
    toCborText('sig'),
    Buffer.from([0x58, signature.length]),
    signature,
    toCborText('x5c'),
    Buffer.from([0x81, 0x59]),
    length,
    CERTIFICATE,
  ]);
}

/** Encodes a text of up to 23 bytes. */
function toCborText(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)]);
}
