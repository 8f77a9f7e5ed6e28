import { createHash, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';

const BEARER = /^Bearer +(\S{1,500})$/i;
const LOOPBACK_ADDRESS = /^(?:127\.|::1$|::ffff:127\.)/;
const FORWARDING_HEADERS = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'];

/**
 * Decides who may read metrics and readiness details on the main port: with METRICS_TOKEN those who send it, with
 * METRICS_PORT alone nobody, and without both a program on the same machine that no proxy stands before.
 */
@Injectable()
export class MonitoringAccess {
  private readonly tokenHash: Buffer | undefined;
  private readonly hasOwnPort: boolean;

  constructor(@Inject(ENV) { metricsToken, metricsPort }: Env) {
    this.tokenHash = metricsToken === undefined ? undefined : hash(metricsToken);
    this.hasOwnPort = metricsPort !== undefined;
  }

  /** Returns whether the caller may read metrics and readiness details. */
  isAllowed({ headers, raw }: FastifyRequest): boolean {
    if (this.tokenHash) {
      const token = BEARER.exec(headers.authorization ?? '')?.[1];
      return token !== undefined && timingSafeEqual(hash(token), this.tokenHash);
    }
    const isLocal = LOOPBACK_ADDRESS.test(raw.socket.remoteAddress ?? '');
    return !this.hasOwnPort && isLocal && FORWARDING_HEADERS.every(name => headers[name] === undefined);
  }
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
