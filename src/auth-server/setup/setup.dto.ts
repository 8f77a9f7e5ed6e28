import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsEmail } from 'class-validator';
import { toIso } from '#domain/time/instant.js';
import { IsName, OptionalField } from '#kernel/http/validation.decorators.js';
import type { OpenSetup } from './setup.service.js';
import { NewPassword, OptionalCode } from '../users/sign-in.dto.js';

/** What a visitor without a session may know of the hub. */
export class SignInState {
  @ApiProperty({ description: 'Whether nobody can sign in yet: the first owner uses a setup address.', example: false })
  setup_required: boolean;

  @ApiProperty({ description: 'Whether the cookie of this request has a session.', example: true })
  signed_in: boolean;

  @ApiProperty({
    description: 'Name of the provider of single sign-on; null if the hub has none.',
    type: String,
    maxLength: 253,
    nullable: true,
    example: 'Acme SSO',
  })
  single_sign_on: string | null;
}

/** A workspace that waits for its first owner. */
export class OpenSetupDto {
  @ApiProperty({ description: 'Name of the workspace.', example: 'My workspace' })
  workspace_name: string;

  @ApiProperty({
    description: 'Time at which the setup address expires, ISO 8601.',
    format: 'date-time',
    example: '2026-11-27T09:30:00.000000Z',
  })
  expires_at: string;
}

/** Body of `POST /auth/setup/:code`. */
export class SetUp {
  @ApiProperty({ description: 'Name that others see.', maxLength: 200, example: 'Ada Lovelace' })
  @IsName()
  name: string;

  @ApiProperty({
    description: 'E-mail address with which the owner signs in.',
    format: 'email',
    maxLength: 254,
    example: 'ada@acme.com',
  })
  @IsEmail()
  email: string;

  @NewPassword('Password of the new account, or of the account that the address has.')
  password: string;

  @OptionalCode()
  code?: string;

  @ApiPropertyOptional({
    description: 'Name of the workspace from now on. Default: as it is.',
    maxLength: 200,
    example: 'Acme',
  })
  @OptionalField()
  @IsName()
  workspace_name?: string;
}

/** Presents a workspace that waits for its first owner. */
export function toOpenSetupDto({ workspaceName, expiresAt }: OpenSetup): OpenSetupDto {
  return { workspace_name: workspaceName, expires_at: toIso(expiresAt) };
}
