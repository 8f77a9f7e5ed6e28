import { Global, Module } from '@nestjs/common';
import { ENV } from '#kernel/config/config.module.js';
import { openSecretBox } from './open-secret-box.js';
import { ProcessRegistry } from './process-registry.js';
import { SecretBox } from './secret-box.js';

/**
 * Makes the {@link SecretBox} injectable everywhere. Without a key the start fails with {@link
 * MissingSecretKeyError}.
 */
@Global()
@Module({
  providers: [{ provide: SecretBox, useFactory: openSecretBox, inject: [ENV] }, ProcessRegistry],
  exports: [SecretBox],
})
export class SecretsModule {}
