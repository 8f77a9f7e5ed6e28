import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsString, Length } from 'class-validator';
import { OptionalField } from '#kernel/http/validation.decorators.js';
import { CurrentPassword, OptionalCode } from '../users/sign-in.dto.js';

const MAX_PATH_LENGTH = 2_000;

/** Describes and validates the page to which a person comes back. */
function OptionalPage(): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({
      description: 'Path of the page that opens afterwards. One that leads to another site opens the first page.',
      maxLength: MAX_PATH_LENGTH,
      default: '/',
      example: '/w/01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17/attention',
    }),
    OptionalField(),
    IsString(),
    Length(1, MAX_PATH_LENGTH),
  );
}

/** Body of `POST /auth/single-sign-on`. */
export class BeginSingleSignOn {
  @OptionalPage()
  to?: string;

  @ApiPropertyOptional({
    description: 'Token of the invitation that the person accepts.',
    maxLength: 100,
    example: 'q1X0v8o4rN9cJ6mTt2bWzK7yHs5uLdEaPfGiQjRkSlM',
  })
  @OptionalField()
  @IsString()
  @Length(1, 100)
  invitation?: string;
}

/** Body of `POST /auth/single-sign-on/connect`. */
export class ConnectSingleSignOn {
  @CurrentPassword()
  password: string;

  @OptionalCode()
  code?: string;

  @OptionalPage()
  to?: string;
}

/** Body of `POST /auth/single-sign-on/disconnect`. */
export class DisconnectSingleSignOn {
  @CurrentPassword()
  password: string;

  @OptionalCode()
  code?: string;
}

/** Where the browser goes to sign in. */
export class SingleSignOnRedirect {
  @ApiProperty({
    description: 'Address at the provider, for the browser that sent the request. It works for ten minutes.',
    format: 'uri',
    example: 'https://login.acme.com/authorize?client_id=rapport&response_type=code&scope=openid+email+profile',
  })
  url: string;
}

/** An account without single sign-on. */
export class DisconnectedSingleSignOn {
  @ApiProperty({ description: 'Always true: the account is not connected any more.', example: true })
  disconnected: boolean;
}
