import { Global, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { ApiKeyGuard } from './api-key.guard.js';
import { ApiKeysController } from './api-keys.controller.js';
import { ApiKeysService } from './api-keys.service.js';
import { KeyDirectory } from './key-directory.service.js';
import { KeyRing } from './key-ring.service.js';
import { KeyUsage } from './key-usage.service.js';

/** Puts the guard before every route and offers the API keys of a workspace over REST. */
@Global()
@Module({
  controllers: [ApiKeysController],
  providers: [
    ApiKeysService,
    { provide: KeyRing, useFactory: (work: UnitOfWork) => new KeyRing(new KeyDirectory(work)), inject: [UnitOfWork] },
    { provide: KeyUsage, useFactory: (work: UnitOfWork) => new KeyUsage(work), inject: [UnitOfWork] },
    { provide: APP_GUARD, useClass: ApiKeyGuard },
  ],
  exports: [ApiKeysService, KeyRing, KeyUsage],
})
export class AuthModule {}
