import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { HttpLimitManifest } from '#sdk/manifest/http-manifest.js';
import type { PluginManifest } from '#sdk/manifest/manifest.js';
import { RetryLater } from '#sdk/errors.js';
import type { Transaction } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { EgressFailedError } from '#kernel/egress/egress-errors.js';
import { Sweeper } from '#kernel/scheduling/periodic-task.js';

/** How long a request waits for its turn at most. */
const MAX_WAIT_MS = 5_000;
/** How long after its turn a request may be sent; for short periods, half of the period if that is less. */
const MAX_LATE_MS = 200;
/** How often a request whose turn has passed is booked again, before it is sent all the same. */
const MAX_BOOKINGS = 5;

/** The limits of a provider for the requests of one connection. */
export interface RequestLimits {
  /**
   * Waits for the turn of a request. If the process stood still and the turn has passed, the request gets a new one.
   * @throws RetryLater if it is more than 5 s away; nothing is booked then
   */
  acquire(url: string, signal: AbortSignal): Promise<void>;
  /** Holds back requests of all processes, after the provider has refused one. */
  holdBack(url: string, ms: number): Promise<void>;
}

/** A limit as it is booked. */
interface BookableLimit {
  readonly key: string;
  /** Distance of the requests beyond `atOnce`, in milliseconds. */
  readonly intervalMs: number;
  readonly atOnce: number;
  /** How long after its turn a request may be sent, in milliseconds. */
  readonly maxLateMs: number;
  readonly matches: (path: string) => boolean;
}

/** A booked turn. */
interface Turn {
  /** How long after its booking the turn is, in milliseconds. */
  readonly waitMs: number;
  /** A time before the booking, by `performance.now()`. */
  readonly bookedAfter: number;
}

/** Carries the time of waiting out of the transaction that is rolled back. */
class TooFarAheadError extends Error {
  constructor(readonly waitMs: number) {
    super('the turn is too far away');
  }
}

/**
 * Books requests at providers, so that all processes together keep the limits of a manifest. The algorithm is GCRA
 * (ITU-T I.371): a request moves the time until which a limit is booked by one interval, and may be sent while that time is
 * less than `atOnce` intervals ahead. With the interval `(perMs + maxLateMs) / (requests - atOnce)`, no period has more than
 * `requests`, as long as each is sent within `maxLateMs` of its turn.
 */
@Injectable()
export class ProviderLimits {
  constructor(private readonly work: UnitOfWork) {}

  /**
   * Returns the limits of a plugin for one connection; undefined if its manifest declares none.
   * @param scope ID of the connection, or of the workspace for a plugin without one
   */
  open({ id, http }: PluginManifest, scope: string): RequestLimits | undefined {
    if (!http?.limits || http.limits.length === 0) return undefined;
    const limits = http.limits.map((limit, index) => toBookable(limit, `${id} ${index}`, scope));
    const select = (url: string) => {
      const { pathname } = new URL(url);
      return limits.filter(({ matches }) => matches(pathname));
    };
    return {
      acquire: async (url, signal) => {
        const selected = select(url);
        if (selected.length > 0) await this.awaitTurn(selected, signal);
      },
      holdBack: (url, ms) => this.holdBack(select(url), ms),
    };
  }

  private async awaitTurn(limits: readonly BookableLimit[], signal: AbortSignal): Promise<void> {
    const maxLateMs = Math.min(...limits.map(limit => limit.maxLateMs));
    for (let booking = 1; booking <= MAX_BOOKINGS; booking++) {
      const { waitMs, bookedAfter } = await this.book(limits);
      if (waitMs > 0) await pause(waitMs, undefined, { signal }).catch(throwAborted);
      if (performance.now() - bookedAfter - waitMs <= maxLateMs) return;
    }
  }

  /** Books a request with every limit, or with none. */
  private async book(limits: readonly BookableLimit[]): Promise<Turn> {
    try {
      return await this.work.system(async tx => {
        await tx.query("SELECT set_config('synchronous_commit', 'off', true)");
        const bookedAfter = performance.now();
        const waitMs = Math.max(0, ...(await bookAhead(tx, limits)));
        if (waitMs > MAX_WAIT_MS) throw new TooFarAheadError(waitMs);
        return { waitMs, bookedAfter };
      });
    } catch (error) {
      if (!(error instanceof TooFarAheadError)) throw error;
      throw new RetryLater(Math.ceil(error.waitMs), 'The limits of the provider are used up for now.');
    }
  }

  private async holdBack(limits: readonly BookableLimit[], ms: number): Promise<void> {
    if (limits.length === 0) return;
    await this.work.system(async tx =>
      tx.deferToCommit(HOLD_BACK, [
        limits.map(({ key }) => key),
        limits.map(({ atOnce, intervalMs }) => (ms + atOnce * intervalMs) / 1_000),
      ]),
    );
  }
}

/** Rows are locked in the order of their key, so that two processes wait for each other instead of deadlocking. */
const BOOK = `
  INSERT INTO provider_limits AS booked (key, step, booked_until)
  SELECT key, make_interval(secs => seconds), clock_timestamp() + make_interval(secs => seconds)
  FROM unnest($1::text[], $2::float8[]) AS request (key, seconds) ORDER BY key
  ON CONFLICT (key) DO UPDATE
    SET step = excluded.step, booked_until = greatest(booked.booked_until, clock_timestamp()) + excluded.step
  RETURNING key, extract(epoch FROM booked_until - clock_timestamp())::float8 * 1000 AS ahead`;

const HOLD_BACK = `
  UPDATE provider_limits SET booked_until = greatest(booked_until, clock_timestamp() + make_interval(secs => held.seconds))
  FROM unnest($1::text[], $2::float8[]) AS held (key, seconds) WHERE provider_limits.key = held.key`;

function throwAborted(): never {
  throw new EgressFailedError('aborted', 'The request was called off.');
}

/** Moves every limit one interval ahead. @returns how long the request has to wait for each, in milliseconds */
async function bookAhead(tx: Transaction, limits: readonly BookableLimit[]): Promise<number[]> {
  const rows = await tx.query<{ key: string; ahead: number }>(BOOK, [
    limits.map(({ key }) => key),
    limits.map(({ intervalMs }) => intervalMs / 1_000),
  ]);
  const aheadByKey = new Map(rows.map(({ key, ahead }) => [key, ahead]));
  return limits.map(({ key, atOnce, intervalMs }) => (aheadByKey.get(key) ?? 0) - atOnce * intervalMs);
}

/**
 * Returns how many requests may be sent at once, the distance of those after them, and how long after its turn each may be
 * sent, in milliseconds.
 */
export function computePace({ requests, perMs, atOnce = Math.max(1, Math.floor(requests / 10)) }: HttpLimitManifest): {
  readonly atOnce: number;
  readonly intervalMs: number;
  readonly maxLateMs: number;
} {
  const maxLateMs = Math.min(MAX_LATE_MS, perMs / 2);
  return { atOnce, maxLateMs, intervalMs: (perMs + maxLateMs) / Math.max(1, requests - atOnce) };
}

function toBookable(limit: HttpLimitManifest, name: string, scope: string): BookableLimit {
  const { per = 'connection', paths } = limit;
  const patterns = paths?.map(path => path.split('/'));
  return {
    key: `${name} ${per === 'operator' ? 'operator' : scope}`,
    ...computePace(limit),
    matches: path => patterns?.some(pattern => matchesPath(pattern, path.split('/'))) ?? true,
  };
}

function matchesPath(pattern: readonly string[], segments: readonly string[]): boolean {
  return pattern.length === segments.length && pattern.every((part, index) => part === '*' || part === segments[index]);
}

const DELETE_OLD = `
  DELETE FROM provider_limits WHERE key IN (
    SELECT key FROM provider_limits WHERE booked_until < now() - interval '1 day' ORDER BY booked_until LIMIT $1)
  RETURNING 1`;

/** Deletes what limits were booked until long ago. */
@Injectable()
export class ProviderLimitsSweeper extends Sweeper {
  constructor(work: UnitOfWork) {
    super(work, { loggerName: 'plugins', sql: DELETE_OLD, batchSize: 1_000 });
  }
}
