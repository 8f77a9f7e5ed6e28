import { Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { AnsweredInterceptor } from './answered.interceptor.js';
import { KeptAnswersSweeper } from './kept-answers.sweeper.js';

/** Answers that are kept for a day, so that a write may be sent again. */
@Module({ providers: [KeptAnswersSweeper, { provide: APP_INTERCEPTOR, useClass: AnsweredInterceptor }] })
export class IdempotencyModule {}
