import { Module } from '@nestjs/common';
import { ClaimsService } from './claims.service.js';
import { RulesCache } from './rules.cache.js';

/** What the history says. */
@Module({ providers: [ClaimsService, RulesCache], exports: [ClaimsService, RulesCache] })
export class ClaimsModule {}
