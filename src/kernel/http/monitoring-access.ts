import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Inject, Injectable } from '@nestjs/common';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import { HubError } from '../errors/hub-error.js';

/** Paths that operators need in every process, including workers. */
const OPS_ROUTES = /^\/(?:healthz|readyz|metrics)(?:\?|$)/;

/** Restricts a process to the paths of operators: a worker runs jobs and serves no API. */
export function restrictToOpsRoutes(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', async ({ url }) => {
    if (!OPS_ROUTES.test(url)) throw new HubError('not_found');
  });
}

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
