import { Module } from '@nestjs/common';
import { IdempotencyKeySweeper } from './idempotency-key.sweeper.js';

/** Answers that are kept for a day, so that a write may be sent again. */
@Module({ providers: [IdempotencyKeySweeper] })
export class IdempotencyModule {}
