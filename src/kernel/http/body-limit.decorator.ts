import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest, RouteOptions } from 'fastify';

/** Bounds of a JSON body. They keep the time that reading it takes far below what other requests would notice. */
export interface BodyLimits {
  readonly maxBytes: number;
  /** Names (members) of all objects together. */
  readonly maxNames: number;
  /** Objects, lists, texts, numbers and constants together. */
  readonly maxValues: number;
}

const MIB = 1024 * 1024;

/** Objects and lists inside each other that any body may have. */
export const MAX_BODY_DEPTH = 32;

/** Members of one object; engines look up and copy larger ones far more slowly. */
export const MAX_OBJECT_MEMBERS = 1_000;

/** Routes that declare nothing else. */
export const DEFAULT_BODY_LIMITS: BodyLimits = { maxBytes: MIB, maxNames: 20_000, maxValues: 100_000 };

/** Routes that take one long text: the longest note fits, however its characters are written in JSON. */
export const TEXT_BODY_LIMITS: BodyLimits = { maxBytes: 2 * MIB, maxNames: 20_000, maxValues: 100_000 };

/** Routes that take lists: a thousand rows or observations of a hundred fields, or fifty thousand plain values. */
export const BATCH_BODY_LIMITS: BodyLimits = { maxBytes: 10 * MIB, maxNames: 100_000, maxValues: 200_000 };

/**
 * Routes that take rows of people: a thousand of twenty-five fields, or fewer of more. Each field becomes an observation,
 * and twice as many are not written within the time of a request.
 */
export const ROWS_BODY_LIMITS: BodyLimits = { maxBytes: 10 * MIB, maxNames: 25_000, maxValues: 50_000 };

/** Declares the bounds of a handler's body; {@link DEFAULT_BODY_LIMITS} hold where nothing is declared. */
export function BodyLimit(limits: BodyLimits): MethodDecorator & ClassDecorator {
  return RouteConfig({ bodyLimits: limits });
}

/** Returns the declared bounds of the route that a request goes to. */
export function bodyLimitsFor(request: FastifyRequest): BodyLimits {
  const config = request.routeOptions.config as { bodyLimits?: BodyLimits } | undefined;
  return config?.bodyLimits ?? DEFAULT_BODY_LIMITS;
}

/** Nest hands a route's config to Fastify, but no other option; this makes the limit one. */
export function applyBodyLimit(route: RouteOptions): void {
  const config = route.config as { bodyLimits?: BodyLimits } | undefined;
  if (config?.bodyLimits !== undefined) route.bodyLimit = config.bodyLimits.maxBytes;
}
