import { Global, Module } from '@nestjs/common';
import { ENV } from '#kernel/config/config.module.js';
import { openSecretBox } from './open-secret-box.js';
import { SecretBox } from './secret-box.js';

/**
 * Makes the {@link SecretBox} injectable everywhere. Without a key the start fails with {@link
 * MissingSecretKeyError}.
 */
@Global()
@Module({
  providers: [{ provide: SecretBox, useFactory: openSecretBox, inject: [ENV] }],
  exports: [SecretBox],
})
export class SecretsModule {}
