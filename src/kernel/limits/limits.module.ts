import { Global, Module } from '@nestjs/common';
import { HeldResponses } from './held-responses.js';
import { PublicRateLimiter } from './public-rate-limiter.js';

/** Limits of callers: by network without an API key. */
@Global()
@Module({ providers: [HeldResponses, PublicRateLimiter], exports: [HeldResponses, PublicRateLimiter] })
export class LimitsModule {}
