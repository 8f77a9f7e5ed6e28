import { Module } from '@nestjs/common';
import { ClaimsService } from './claims.service.js';
import { RulesCache } from './rules.cache.js';

/** Derives claims from statements and stores them. */
@Module({ providers: [ClaimsService, RulesCache], exports: [ClaimsService, RulesCache] })
export class ClaimsModule {}
