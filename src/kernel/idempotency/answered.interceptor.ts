import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { map, type Observable } from 'rxjs';
import { Answered } from './answered.js';

/** Turns an {@link Answered} into status, body and the header that marks a replay. */
@Injectable()
export class AnsweredInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(map(result => (result instanceof Answered ? unfold(result, context) : result)));
  }
}

function unfold(answer: Answered<unknown>, context: ExecutionContext): unknown {
  const reply = context.switchToHttp().getResponse<FastifyReply>();
  reply.status(answer.status);
  if (answer.replayed) reply.header('Idempotent-Replayed', 'true');
  return answer.body;
}
