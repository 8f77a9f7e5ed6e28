import { Module } from '@nestjs/common';
import { ClaimsService } from './claims.service.js';

/** What the history says. */
@Module({ providers: [ClaimsService], exports: [ClaimsService] })
export class ClaimsModule {}
