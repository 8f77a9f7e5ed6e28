import { Module } from '@nestjs/common';
import { ClaimsService } from './claims.service.js';
import { RulesBook } from './rules-book.js';

/** What the history says. */
@Module({ providers: [ClaimsService, RulesBook], exports: [ClaimsService, RulesBook] })
export class ClaimsModule {}
