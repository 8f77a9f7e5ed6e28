import { Global, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { CallerGuard } from './caller.guard.js';
import { ApiKeysController } from './api-keys.controller.js';
import { ApiKeysService } from './api-keys.service.js';
import { ApiKeyLookup, ApiKeyCache, KeyUsageService } from './api-key.lookup.js';

/** Registers the guard for every route and the endpoints for the API keys of a workspace. */
@Global()
@Module({
  controllers: [ApiKeysController],
  providers: [
    ApiKeysService,
    {
      provide: ApiKeyCache,
      useFactory: (work: UnitOfWork) => new ApiKeyCache(new ApiKeyLookup(work)),
      inject: [UnitOfWork],
    },
    { provide: KeyUsageService, useFactory: (work: UnitOfWork) => new KeyUsageService(work), inject: [UnitOfWork] },
    { provide: APP_GUARD, useClass: CallerGuard },
  ],
  exports: [ApiKeysService, ApiKeyCache, KeyUsageService],
})
export class AuthModule {}
