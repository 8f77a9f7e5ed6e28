import { Module } from '@nestjs/common';
import { KeptAnswersSweeper } from './kept-answers.sweeper.js';

/** Answers that are kept for a day, so that a write may be sent again. */
@Module({ providers: [KeptAnswersSweeper] })
export class IdempotencyModule {}
