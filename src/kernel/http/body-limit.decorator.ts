import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest, RouteOptions } from 'fastify';

/** Limits of a JSON body. They keep the parsing time far below what other requests would notice. */
export interface BodyLimits {
  readonly maxBytes: number;
  /** Members of all objects together. */
  readonly maxNames: number;
  /** Objects, arrays, strings, numbers and literals together. */
  readonly maxValues: number;
}

const MIB = 1024 * 1024;

/** Maximum nesting depth of a body. */
export const MAX_BODY_DEPTH = 32;

/** Maximum number of members of one object; engines process larger ones far more slowly. */
export const MAX_OBJECT_MEMBERS = 1_000;

/** Limits of routes that declare none. */
export const DEFAULT_BODY_LIMITS: BodyLimits = { maxBytes: MIB, maxNames: 20_000, maxValues: 100_000 };

/** Limits of routes with one long text: the longest note fits, whatever escapes its JSON uses. */
export const TEXT_BODY_LIMITS: BodyLimits = { maxBytes: 2 * MIB, maxNames: 20_000, maxValues: 100_000 };

/** Limits of routes with lists: a thousand rows or observations of a hundred fields, or fifty thousand plain values. */
export const BATCH_BODY_LIMITS: BodyLimits = { maxBytes: 10 * MIB, maxNames: 100_000, maxValues: 200_000 };

/**
 * Limits of routes with rows of people: a thousand rows of 25 fields, or fewer with more. Each field becomes an
 * observation, and twice as many cannot be written within the time limit of a request.
 */
export const ROWS_BODY_LIMITS: BodyLimits = { maxBytes: 10 * MIB, maxNames: 25_000, maxValues: 50_000 };

/** Declares the body limits of a handler; without it {@link DEFAULT_BODY_LIMITS} apply. */
export function BodyLimit(limits: BodyLimits): MethodDecorator & ClassDecorator {
  return RouteConfig({ bodyLimits: limits });
}

/** Returns the body limits of the route of a request. */
export function bodyLimitsFor(request: FastifyRequest): BodyLimits {
  const config = request.routeOptions.config as { bodyLimits?: BodyLimits } | undefined;
  return config?.bodyLimits ?? DEFAULT_BODY_LIMITS;
}

/** Sets Fastify's `bodyLimit` from the config: Nest passes only the config of a route to Fastify, no other options. */
export function applyBodyLimit(route: RouteOptions): void {
  const config = route.config as { bodyLimits?: BodyLimits } | undefined;
  if (config?.bodyLimits !== undefined) route.bodyLimit = config.bodyLimits.maxBytes;
}
