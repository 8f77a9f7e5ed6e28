import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsString, Length, ValidateNested } from 'class-validator';
import { Type } from 'class-transformer';
import { ROLES, type Role } from '#domain/actor/roles.js';
import { PLANS, type Plan } from '#domain/plans/tiers.js';
import { IsName, OptionalField } from '#kernel/http/validation.decorators.js';
import { MAX_CODE_LENGTH, MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from './better-auth.js';

const EXAMPLE_ID = '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17';
const EXAMPLE_TIME = '2026-11-20T09:30:00.000000Z';

/** Describes and validates a password that is set. */
export function NewPassword(description: string): PropertyDecorator {
  const [minLength, maxLength] = [MIN_PASSWORD_LENGTH, MAX_PASSWORD_LENGTH];
  return applyDecorators(
    ApiProperty({ description, format: 'password', minLength, maxLength, example: 'correct horse battery' }),
    IsString(),
    Length(minLength, maxLength, { message: `$property must have ${minLength} to ${maxLength} characters` }),
  );
}

/** Describes and validates the password that an account has. */
export function CurrentPassword(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({
      description: 'Password of the account.',
      format: 'password',
      maxLength: MAX_PASSWORD_LENGTH,
      example: 'correct horse battery',
    }),
    IsString(),
    Length(1, MAX_PASSWORD_LENGTH),
  );
}

/** Describes and validates the code of an account with a second factor. */
export function OptionalCode(): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({
      description:
        'Code that the authenticator app shows, or a recovery code. Needed if the account has a second factor: 401 ' +
        '`second_factor_required`.',
      maxLength: MAX_CODE_LENGTH,
      example: '492039',
    }),
    OptionalField(),
    IsString(),
    Length(1, MAX_CODE_LENGTH),
  );
}

/** Body of `POST /auth/sign-in`. */
export class SignInRequest {
  @ApiProperty({
    description: 'E-mail address of the account.',
    format: 'email',
    maxLength: 320,
    example: 'ada@acme.com',
  })
  @IsString()
  @Length(1, 320)
  email: string;

  @CurrentPassword()
  password: string;

  @OptionalCode()
  code?: string;
}

/** A new password, with the current one. */
export class PasswordChange {
  @ApiProperty({ description: 'The password until now.', format: 'password', maxLength: MAX_PASSWORD_LENGTH })
  @IsString()
  @Length(1, MAX_PASSWORD_LENGTH)
  current: string;

  @NewPassword('The password from now on.')
  new: string;
}

/** Body of `PATCH /auth/me`. */
export class ChangeProfile {
  @ApiPropertyOptional({ description: 'Name that others see.', maxLength: 200, example: 'Ada Lovelace' })
  @OptionalField()
  @IsName()
  name?: string;

  @ApiPropertyOptional({
    description: 'A new password with the current one. It ends all other sessions.',
    type: PasswordChange,
  })
  @OptionalField()
  @ValidateNested()
  @Type(() => PasswordChange)
  password?: PasswordChange;
}

/** Body of `POST /auth/invitations/:token/accept`. */
export class AcceptInvitation {
  @ApiPropertyOptional({
    description: 'Name of a new account. An address that has an account keeps its name.',
    maxLength: 200,
    example: 'Ada Lovelace',
  })
  @OptionalField()
  @IsName()
  name?: string;

  @NewPassword('Password of the account that the address has, or of the new one.')
  password: string;

  @OptionalCode()
  code?: string;
}

/** Body of `POST /auth/password/reset`. */
export class ResetPassword {
  @ApiProperty({
    description: 'Token that the operator of the hub has made.',
    maxLength: 100,
    example: 'q1X0v8o4rN9cJ6mTt2bWzK7yHs5uLdEaPfGiQjRkSlM',
  })
  @IsString()
  @Length(1, 100)
  token: string;

  @NewPassword('The password from now on.')
  password: string;
}

/** A password that was reset. */
export class PasswordResetDto {
  @ApiProperty({ description: 'Always true: the new password holds, and all sessions have ended.', example: true })
  reset: boolean;
}

/** A person who can sign in. */
export class UserDto {
  @ApiProperty({ description: 'Unique identifier of the user.', format: 'uuid', example: EXAMPLE_ID })
  id: string;

  @ApiProperty({ description: 'Name that others see.', maxLength: 200, example: 'Ada Lovelace' })
  name: string;

  @ApiProperty({ description: 'E-mail address in lower case.', format: 'email', example: 'ada@acme.com' })
  email: string;
}

/** A workspace of the user. */
export class UserWorkspaceDto {
  @ApiProperty({
    description: 'Unique identifier of the workspace, for the header `X-Rapport-Workspace`.',
    format: 'uuid',
    example: EXAMPLE_ID,
  })
  id: string;

  @ApiProperty({ description: 'Name of the workspace.', example: 'Acme' })
  name: string;

  @ApiProperty({ description: 'Plan of the workspace.', enum: PLANS, example: 'growth' })
  plan: Plan;

  @ApiProperty({ description: 'Role of the user in the workspace.', enum: ROLES, example: 'member' })
  role: Role;
}

/** Who is signed in. */
export class SignedInDto {
  @ApiProperty({ description: 'The user who is signed in.', type: UserDto })
  user: UserDto;

  @ApiProperty({ description: 'The workspaces of the user by name.', type: [UserWorkspaceDto] })
  workspaces: UserWorkspaceDto[];
}

/** The session of the request. */
export class SessionDto {
  @ApiProperty({ description: 'Unique identifier of the session.', format: 'uuid', example: EXAMPLE_ID })
  id: string;

  @ApiProperty({
    description: 'Time at which the session ends unless it is used, ISO 8601.',
    format: 'date-time',
    example: EXAMPLE_TIME,
  })
  expires_at: string;
}

/** Whether a user has connected single sign-on. */
export class SingleSignOnStateDto {
  @ApiProperty({ description: 'Name of the provider, as the operator calls it.', maxLength: 253, example: 'Acme SSO' })
  provider_name: string;

  @ApiProperty({ description: 'Whether the user can sign in there.', example: true })
  connected: boolean;
}

/** Who is signed in, and by which session. */
export class CurrentUserDto extends SignedInDto {
  @ApiProperty({ description: 'The session of this request.', type: SessionDto })
  session: SessionDto;

  @ApiProperty({
    description: 'Whether the user has a password; who came by single sign-on may have none.',
    example: true,
  })
  has_password: boolean;

  @ApiProperty({
    description: 'Single sign-on of the user; null if the hub has none.',
    type: SingleSignOnStateDto,
    nullable: true,
  })
  single_sign_on: SingleSignOnStateDto | null;
}

/** A session in the list of a user. */
export class ListedSessionDto extends SessionDto {
  @ApiProperty({ description: 'Time of the sign-in, ISO 8601.', format: 'date-time', example: EXAMPLE_TIME })
  created_at: string;

  @ApiProperty({
    description: 'Time of the last use, ISO 8601; at most a day late.',
    format: 'date-time',
    example: EXAMPLE_TIME,
  })
  last_seen_at: string;

  @ApiProperty({
    description: 'IP address at the sign-in; null if it is not known.',
    type: String,
    nullable: true,
    example: '203.0.113.7',
  })
  address: string | null;

  @ApiProperty({
    description: 'Browser at the sign-in, as it names itself; null if it does not.',
    type: String,
    nullable: true,
    example: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
  })
  client: string | null;

  @ApiProperty({ description: 'Whether this request uses the session.', example: true })
  current: boolean;
}

/** The sessions of a user. */
export class SessionList {
  @ApiProperty({ description: 'Sessions that have not ended, the last used one first.', type: [ListedSessionDto] })
  sessions: ListedSessionDto[];
}

/** How many sessions have ended. */
export class EndedSessions {
  @ApiProperty({ description: 'Number of sessions that this call ended.', type: 'integer', minimum: 0, example: 2 })
  ended: number;
}

/** A sign-out. */
export class SignedOut {
  @ApiProperty({ description: 'Always true: the session has ended.', example: true })
  signed_out: boolean;
}

/** An invitation as the invited person sees it. */
export class OpenInvitationDto {
  @ApiProperty({ description: 'Name of the workspace.', example: 'Acme' })
  workspace_name: string;

  @ApiProperty({ description: 'Role that the invitation gives.', enum: ROLES, example: 'member' })
  role: Role;

  @ApiProperty({ description: 'E-mail address that was invited.', format: 'email', example: 'ada@acme.com' })
  email: string;

  @ApiProperty({
    description: 'Time at which the invitation expires, ISO 8601.',
    format: 'date-time',
    example: EXAMPLE_TIME,
  })
  expires_at: string;

  @ApiProperty({
    description: 'Whether the address has an account. It then accepts with its password, and needs no name.',
    example: false,
  })
  account_exists: boolean;
}
