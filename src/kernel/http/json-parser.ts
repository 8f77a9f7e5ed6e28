import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest, RouteOptions, FastifyInstance } from 'fastify';
import '../auth/caller.guard.js';
import { isUtf8 } from 'node:buffer';
import { truncate } from '#domain/observation/summary.js';
import { HubError } from '#kernel/errors/hub-error.js';
import type { CooperativeScheduler } from '#kernel/scheduling/cooperative-scheduler.js';
import { JsonScanner, type ScanExcess } from './json.scanner.js';

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

/** A body that is serialized already and sent as it is. For responses that are too long to serialize at once. */
export class JsonText {
  constructor(readonly bytes: Buffer) {}
}

/** Maximum number of UTF-8 bytes for one UTF-16 code unit. */
const MAX_BYTES_PER_CODE_UNIT = 3;

/**
 * Appends texts to one UTF-8 buffer. Each text is short when it is encoded; concatenating them first would copy the
 * whole text twice more, without yielding.
 */
export class Utf8Writer {
  private buffer: Buffer;
  private length = 0;

  /** @param usual expected number of bytes; the buffer grows if there are more. */
  constructor(usual: number) {
    this.buffer = Buffer.allocUnsafe(usual);
  }

  /** Appends a text. */
  write(text: string): void {
    const needed = this.length + text.length * MAX_BYTES_PER_CODE_UNIT;
    if (needed > this.buffer.length) this.grow(needed);
    this.length += this.buffer.write(text, this.length);
  }

  /** Appends UTF-8 bytes. */
  append(bytes: Uint8Array): void {
    const needed = this.length + bytes.length;
    if (needed > this.buffer.length) this.grow(needed);
    this.buffer.set(bytes, this.length);
    this.length = needed;
  }

  /** Returns everything written so far. */
  bytes(): Buffer {
    return this.buffer.subarray(0, this.length);
  }

  private grow(needed: number): void {
    const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.buffer.length));
    this.buffer.copy(larger, 0, 0, this.length);
    this.buffer = larger;
  }
}

/**
 * Returns the path of the first infinite number, such as `a.b[2]` (empty for the value itself): 1e400 is parsed as
 * Infinity.
 */
function infiniteNumberPath(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : '';
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const path = infiniteNumberPath(value[i]);
      if (path !== undefined) return joinPath(`[${i}]`, path);
    }
    return undefined;
  }
  for (const name in value) {
    const path = infiniteNumberPath((value as Record<string, unknown>)[name]);
    if (path !== undefined) return joinPath(name, path);
  }
  return undefined;
}

/**
 * Returns the path of the first name or text with a NUL or a lone surrogate, such as `a.b[2]`; undefined if there is
 * none.
 */
function findUnstorableText(value: unknown): string | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : '';
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, member] of Object.entries(value)) {
    if (!isStorable(name)) return truncate(name);
    const found = findUnstorableText(member);
    if (found !== undefined) return joinPath(Array.isArray(value) ? `[${name}]` : name, found);
  }
  return undefined;
}

/**
 * Returns the path of the first name that would reach a prototype, such as `a.__proto__`; undefined if there is none.
 */
function findPrototypeName(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const reaches = name === 'constructor' && typeof member === 'object' && member !== null && 'prototype' in member;
    if (name === '__proto__' || reaches) return name;
    const found = findPrototypeName(member);
    if (found !== undefined) return joinPath(Array.isArray(value) ? `[${name}]` : name, found);
  }
  return undefined;
}

function joinPath(step: string, path: string): string {
  return path === '' || path.startsWith('[') ? step + path : `${step}.${path}`;
}

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** Bytes of a body that are scanned and decoded before other requests get a turn. */
const SLICE_BYTES = 256 * 1024;

/**
 * Registers a parser for JSON bodies; other content types are rejected with 415. An empty body counts as absent.
 * Rejects with 413 a body with more names or values than the route allows, and with 400 invalid UTF-8, invalid JSON,
 * the names `__proto__` and `constructor.prototype`, more than {@link MAX_BODY_DEPTH} levels, infinite numbers, and
 * text that PostgreSQL cannot store (NUL, lone surrogates). Depth, names and values are counted in the bytes, before
 * anything is built from them. The reserved names are detected here instead of by secure-json-parse, whose two
 * regular expressions search the whole text again.
 */
export function registerJsonParser(fastify: FastifyInstance, scheduler: CooperativeScheduler): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    if (bytes.length === 0) return done(null, undefined);
    const limits = bodyLimitsFor(request);
    if (bytes.length > SLICE_BYTES) {
      const owner = request.caller?.workspaceId ?? '';
      return readInSlices(bytes, limits, () => scheduler.turn(owner));
    }
    try {
      done(null, readAtOnce(bytes, limits));
    } catch (error) {
      done(error as Error, undefined);
    }
    return undefined;
  });
}

/** @throws HubError if the body is invalid or exceeds a limit. */
function readAtOnce(bytes: Buffer, limits: BodyLimits): unknown {
  const scanner = scannerOf(bytes, limits);
  refuseExcess(scanner.scan(0, bytes.length), limits);
  if (!isUtf8(bytes)) throw notUtf8();
  return parse(bytes.toString('utf8'), scanner);
}

/** Reads a large body like {@link readAtOnce}, and yields to other requests between slices. */
async function readInSlices(bytes: Buffer, limits: BodyLimits, turn: () => Promise<void>): Promise<unknown> {
  const scanner = scannerOf(bytes, limits);
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let text = '';
  for (let from = 0; from < bytes.length; from += SLICE_BYTES) {
    const to = Math.min(from + SLICE_BYTES, bytes.length);
    refuseExcess(scanner.scan(from, to), limits);
    try {
      text += decoder.decode(bytes.subarray(from, to), { stream: to < bytes.length });
    } catch {
      throw notUtf8();
    }
    await turn();
  }
  return parse(text, scanner);
}

function scannerOf(bytes: Buffer, { maxNames, maxValues }: BodyLimits): JsonScanner {
  return new JsonScanner(bytes, {
    maxDepth: MAX_BODY_DEPTH,
    maxMembers: MAX_OBJECT_MEMBERS,
    maxNames,
    maxValues,
  });
}

function refuseExcess(excess: ScanExcess | undefined, { maxNames, maxValues }: BodyLimits): void {
  if (excess === undefined) return;
  if (excess.bound === 'depth')
    throw createInvalidJsonError(`The body nests deeper than ${MAX_BODY_DEPTH} levels; flatten it.`, excess.path);
  if (excess.bound === 'members') throw HubError.bodyTooLarge(MAX_OBJECT_MEMBERS, 'members in one object');
  if (excess.bound === 'names') throw HubError.bodyTooLarge(maxNames, 'object members');
  throw HubError.bodyTooLarge(maxValues, 'values');
}

function parse(text: string, { mayHoldReservedName, mayHoldUnstorableText, mayHoldInfinity }: JsonScanner): unknown {
  const value = parsed(text);
  const reserved = mayHoldReservedName ? findPrototypeName(value) : undefined;
  if (reserved !== undefined)
    throw createInvalidJsonError(`${truncate(reserved)} is a name that no body may have.`, reserved);
  const infinite = mayHoldInfinity ? infiniteNumberPath(value) : undefined;
  if (infinite !== undefined) throw createFieldError(infinite, 'is a number beyond what JSON numbers can hold.');
  const unstorable = mayHoldUnstorableText ? findUnstorableText(value) : undefined;
  if (unstorable !== undefined)
    throw createFieldError(unstorable, 'holds a NUL character or half a surrogate pair, which no text may.');
  return value;
}

/** Ignores a leading byte order mark. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text);
  } catch {
    throw createInvalidJsonError();
  }
}

function createFieldError(path: string, message: string): HubError {
  const field = truncate(path);
  return HubError.invalidRequest([{ field: field || 'body', message: `${field || 'The body'} ${message}` }]);
}

function notUtf8(): HubError {
  return createInvalidJsonError('The body is not UTF-8 text.');
}

function createInvalidJsonError(detail?: string, path?: string): HubError {
  if (detail === undefined || !path) return new HubError('invalid_json', { detail });
  return new HubError('invalid_json', { detail, details: [{ field: truncate(path), message: detail }] });
}
