import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsObject } from 'class-validator';
import { toIso } from '#domain/time/instant.js';
import { IsName } from '#kernel/http/validation.decorators.js';
import { CurrentPassword, OptionalCode } from '../users/sign-in.dto.js';
import type { Passkey } from './passkeys.queries.js';

const EXAMPLE_ID = '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17';
const EXAMPLE_TIME = '2026-11-20T09:30:00.000000Z';
const BASE64URL = { type: 'string', maxLength: 16_384 } as const;

/** Describes and validates a credential of WebAuthn. @param response fields of its `response` */
function Credential(description: string, response: Record<string, object>): PropertyDecorator {
  return applyDecorators(
    ApiProperty({
      description,
      type: 'object',
      required: ['id', 'rawId', 'type', 'response'],
      properties: {
        id: { ...BASE64URL, description: 'ID of the credential in base64url.' },
        rawId: { ...BASE64URL, description: 'ID of the credential in base64url, again.' },
        type: { type: 'string', enum: ['public-key'], description: 'Kind of the credential.' },
        response: {
          type: 'object',
          description: 'Answer of the authenticator, in base64url.',
          required: Object.keys(response),
          properties: response,
          additionalProperties: true,
        },
      },
      additionalProperties: true,
    }),
    IsObject(),
  );
}

/** Body of `POST /auth/passkeys/options`. */
export class BeginPasskey {
  @CurrentPassword()
  password: string;

  @OptionalCode()
  code?: string;
}

/** Body of `POST /auth/passkeys`. */
export class AddPasskey {
  @ApiProperty({ description: 'Name by which the person knows it.', maxLength: 200, example: 'MacBook' })
  @IsName()
  name: string;

  @Credential('Credential that the browser has created, as `PublicKeyCredential.toJSON()` returns it.', {
    clientDataJSON: { ...BASE64URL, description: 'What the browser has signed or passed on.' },
    attestationObject: { ...BASE64URL, description: 'The public key with what vouches for it.' },
  })
  credential: object;
}

/** Body of `POST /auth/passkeys/sign-in`. */
export class SignInByPasskey {
  @Credential('Credential by which the browser signs in, as `PublicKeyCredential.toJSON()` returns it.', {
    clientDataJSON: { ...BASE64URL, description: 'What the browser has signed or passed on.' },
    authenticatorData: { ...BASE64URL, description: 'What the authenticator says of the sign-in.' },
    signature: { ...BASE64URL, description: 'Signature by the passkey.' },
  })
  credential: object;
}

/** Options of WebAuthn for the browser. */
export class PasskeyOptions {
  @ApiProperty({
    description:
      'Options for `PublicKeyCredential.parseCreationOptionsFromJSON()` or `parseRequestOptionsFromJSON()` of the browser.',
    type: 'object',
    properties: {
      challenge: { ...BASE64URL, description: 'What the passkey has to sign, in base64url. It is taken once.' },
      timeout: { type: 'integer', description: 'Milliseconds after which the challenge expires.' },
    },
    required: ['challenge', 'timeout'],
    additionalProperties: true,
    example: { challenge: 'q1X0v8o4rN9cJ6mTt2bWzK7yHs5uLdEaPfGiQjRkSlM', timeout: 300_000 },
  })
  options: object;
}

/** A passkey of the signed-in user. */
export class PasskeyDto {
  @ApiProperty({ description: 'Unique identifier of the passkey.', format: 'uuid', example: EXAMPLE_ID })
  id: string;

  @ApiProperty({ description: 'Name by which the person knows it.', maxLength: 200, example: 'MacBook' })
  name: string;

  @ApiProperty({ description: 'Whether it is on several devices of the person, by their provider.', example: true })
  synced: boolean;

  @ApiProperty({ description: 'Time of its creation, ISO 8601.', format: 'date-time', example: EXAMPLE_TIME })
  created_at: string;

  @ApiProperty({
    description: 'Time of the last sign-in by it, ISO 8601; null if there was none.',
    type: String,
    format: 'date-time',
    nullable: true,
    example: EXAMPLE_TIME,
  })
  last_used_at: string | null;
}

/** The passkeys of the signed-in user. */
export class PasskeyList {
  @ApiProperty({ description: 'Passkeys, the oldest first.', type: [PasskeyDto] })
  passkeys: PasskeyDto[];
}

/** A passkey that was removed. */
export class RemovedPasskey {
  @ApiProperty({ description: 'Unique identifier of the passkey.', format: 'uuid', example: EXAMPLE_ID })
  id: string;

  @ApiProperty({ description: 'Always true: it signs nobody in any more.', example: true })
  removed: boolean;
}

/** Presents a passkey. */
export function toPasskeyDto({ id, name, isSynced, createdAt, lastUsedAt }: Passkey): PasskeyDto {
  return {
    id,
    name,
    synced: isSynced,
    created_at: toIso(createdAt),
    last_used_at: lastUsedAt === null ? null : toIso(lastUsedAt),
  };
}
