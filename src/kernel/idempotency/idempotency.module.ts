import { Module } from '@nestjs/common';
import { IdempotencyKeySweeper } from './idempotency-key.sweeper.js';

/** Stores responses for a day, so that writes can be retried. */
@Module({ providers: [IdempotencyKeySweeper] })
export class IdempotencyModule {}
