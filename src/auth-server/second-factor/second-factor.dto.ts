import { ApiProperty } from '@nestjs/swagger';
import { IsString, Length } from 'class-validator';
import { MAX_CODE_LENGTH } from '../users/better-auth.js';
import { CurrentPassword } from '../users/sign-in.dto.js';
import type { SecondFactorSetup, SecondFactorState } from './second-factor.service.js';

const EXAMPLE_RECOVERY_CODE = 'h2Kd9-pQ4rT';

/** Body of `POST /auth/second-factor`. */
export class BeginSecondFactor {
  @CurrentPassword()
  password: string;
}

/** Body of `POST /auth/second-factor/confirm`. */
export class ConfirmSecondFactor {
  @ApiProperty({
    description: 'Code of six digits that the authenticator app shows.',
    maxLength: MAX_CODE_LENGTH,
    example: '492039',
  })
  @IsString()
  @Length(1, MAX_CODE_LENGTH)
  code: string;
}

/** Body of the requests that change a second factor. */
export class ProveSecondFactor {
  @CurrentPassword()
  password: string;

  @ApiProperty({
    description: 'Code of six digits that the authenticator app shows, or a recovery code.',
    maxLength: MAX_CODE_LENGTH,
    example: '492039',
  })
  @IsString()
  @Length(1, MAX_CODE_LENGTH)
  code: string;
}

/** Whether the signed-in user has a second factor. */
export class SecondFactorDto {
  @ApiProperty({ description: 'Whether signing in needs a code as well as the password.', example: true })
  enabled: boolean;

  @ApiProperty({ description: 'Number of recovery codes that were not used.', example: 10 })
  recovery_codes_left: number;
}

/** Recovery codes, which are shown once. */
export class RecoveryCodes {
  @ApiProperty({
    description: 'Codes for the day on which the authenticator app is lost. Each works once.',
    type: 'array',
    items: { type: 'string', maxLength: MAX_CODE_LENGTH },
    example: [EXAMPLE_RECOVERY_CODE],
  })
  recovery_codes: readonly string[];
}

/** A second factor that waits for its first code. */
export class SecondFactorSetupDto extends RecoveryCodes {
  @ApiProperty({
    description: 'Address that an authenticator app reads as a QR code.',
    format: 'uri',
    example: 'otpauth://totp/Rapport:ada%40acme.com?secret=JBSWY3DPEHPK3PXP&issuer=Rapport&digits=6&period=30',
  })
  uri: string;

  @ApiProperty({
    description: 'The secret of the address in base 32, for apps that cannot read a QR code.',
    maxLength: 100,
    example: 'JBSWY3DPEHPK3PXP',
  })
  secret: string;
}

/** Presents whether a person has a second factor. */
export function toSecondFactorDto({ isEnabled, recoveryCodesLeft }: SecondFactorState): SecondFactorDto {
  return { enabled: isEnabled, recovery_codes_left: recoveryCodesLeft };
}

/** Presents a second factor that waits for its first code. */
export function toSecondFactorSetupDto({ uri, secret, recoveryCodes }: SecondFactorSetup): SecondFactorSetupDto {
  return { uri, secret, recovery_codes: recoveryCodes };
}
