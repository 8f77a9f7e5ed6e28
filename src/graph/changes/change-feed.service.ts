import { Injectable } from '@nestjs/common';
import type { EntityType } from '#domain/identity/focus.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { PeriodicTask } from '#kernel/scheduling/periodic-task.js';
import { encodeChangeCursor, parseChangeCursor, positionAt, readChangesRequest } from './changes-request.js';
import { CHANGE_KINDS, type ChangeKind } from './changes.presenter.js';
import { type ChangePosition, type ChangeRow, readChangeRows, readLatestPosition } from './changes.queries.js';

/** How often the changes of the workspaces that somebody listens to are read, in milliseconds. */
const READ_INTERVAL_MS = 1_000;
/** Rows that one notice sums up. If there are more, the notice says so, and the feed goes on behind all of them. */
const MAX_ROWS = 1_000;
/** Most entities that a notice names. */
export const MAX_NOTICE_ENTITIES = 100;
/** Notices that a feed keeps for listeners that are slow. */
const MAX_NOTICES = 60;
/** Most listeners of a workspace in a process. */
export const MAX_LISTENERS = 100;

const EVERYTHING = readChangesRequest({}).filter;

/** What changed in a workspace since the notice before. */
export interface ChangeNotice {
  /** Cursor behind these changes, as `GET /v2/changes` takes it. */
  readonly cursor: string;
  readonly kinds: readonly ChangeKind[];
  readonly entities: readonly { readonly type: EntityType; readonly id: string }[];
  /** Whether more changed than is listed. */
  readonly has_more: boolean;
}

/** The notices of a workspace that somebody listens to. */
interface Feed {
  position: ChangePosition;
  listeners: number;
  /** The last {@link MAX_NOTICES}. */
  notices: ChangeNotice[];
  /** Number of notices so far. */
  count: number;
}

/** A listener of a feed. */
export interface ChangeListener {
  /** Cursor behind all that there was when the listening began. */
  readonly cursor: string;
  /** Takes the notices since the last call. */
  take(): readonly ChangeNotice[];
  /** Ends the listening. Repeating it does nothing. */
  end(): void;
}

/**
 * Tells listeners what changes in their workspaces. Each process reads the log of a workspace once a second while anybody
 * listens to it, however many do.
 */
@Injectable()
export class ChangeFeedService extends PeriodicTask {
  private readonly feeds = new Map<string, Feed>();

  constructor(private readonly work: UnitOfWork) {
    super({
      intervalMs: READ_INTERVAL_MS,
      loggerName: 'changes',
      failureMessage: 'Changes cannot be read for those who listen',
    });
  }

  /**
   * Begins to listen to a workspace.
   * @param after cursor of a notice, behind which to begin. Default: behind all that there is
   * @throws HubError `invalid_request` for a cursor that is none, `rate_limited` beyond {@link MAX_LISTENERS}
   */
  async listen(workspaceId: string, after: string | undefined): Promise<ChangeListener> {
    const start = after === undefined ? undefined : parseChangeCursor(after);
    const feed = await this.acquire(workspaceId);
    const listener = new FeedListener(feed, () => this.release(workspaceId, feed));
    try {
      if (start) listener.missed = (await this.read(workspaceId, start)).notice;
      return listener;
    } catch (error) {
      listener.end();
      throw error;
    }
  }

  /** Reads what changed in all workspaces that somebody listens to. */
  protected async run(): Promise<void> {
    const failures: unknown[] = [];
    for (const [workspaceId, feed] of this.feeds)
      await this.advance(workspaceId, feed).catch(error => void failures.push(error));
    if (failures.length > 0) throw failures[0];
  }

  private async acquire(workspaceId: string): Promise<Feed> {
    const position = this.feeds.has(workspaceId) ? undefined : await this.readLatest(workspaceId);
    const feed = this.feeds.get(workspaceId) ?? { position: position!, listeners: 0, notices: [], count: 0 };
    if (feed.listeners >= MAX_LISTENERS)
      throw new HubError('rate_limited', {
        detail: `At most ${MAX_LISTENERS} clients can listen to a workspace at a time. Poll GET /v2/changes instead.`,
        retryAfterSeconds: 60,
      });
    this.feeds.set(workspaceId, feed);
    feed.listeners++;
    return feed;
  }

  private release(workspaceId: string, feed: Feed): void {
    feed.listeners--;
    if (feed.listeners === 0) this.feeds.delete(workspaceId);
  }

  private async advance(workspaceId: string, feed: Feed): Promise<void> {
    const found = await this.read(workspaceId, feed.position);
    feed.position = found.position;
    if (!found.notice) return;
    feed.notices = [...feed.notices.slice(1 - MAX_NOTICES), found.notice];
    feed.count++;
  }

  /** Sums up what came after a position. */
  private async read(
    workspaceId: string,
    after: ChangePosition,
  ): Promise<{ readonly position: ChangePosition; readonly notice: ChangeNotice | undefined }> {
    const { rows, end, hasMore } = await this.work.run(workspaceId, tx =>
      readChangeRows(tx, after, EVERYTHING, MAX_ROWS),
    );
    const position = hasMore ? await this.readLatest(workspaceId) : (end ?? after);
    return { position, notice: rows.length > 0 || hasMore ? toNotice(rows, position, hasMore) : undefined };
  }

  private async readLatest(workspaceId: string): Promise<ChangePosition> {
    return positionAt(await this.work.run(workspaceId, readLatestPosition));
  }
}

class FeedListener implements ChangeListener {
  /** What came before the listener, and is passed on first. */
  missed: ChangeNotice | undefined;
  readonly cursor: string;
  private seen: number;
  private hasEnded = false;

  constructor(
    private readonly feed: Feed,
    private readonly release: () => void,
  ) {
    this.seen = feed.count;
    this.cursor = encodeChangeCursor(feed.position);
  }

  take(): readonly ChangeNotice[] {
    const { notices, count } = this.feed;
    const behind = Math.min(count - this.seen, notices.length);
    const taken = [...(this.missed ? [this.missed] : []), ...notices.slice(notices.length - behind)];
    this.missed = undefined;
    this.seen = count;
    return taken;
  }

  end(): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.release();
  }
}

function toNotice(rows: readonly ChangeRow[], position: ChangePosition, hasMore: boolean): ChangeNotice {
  const kinds = new Set(rows.map(toKind));
  const entities = new Map(rows.map(({ entity_id: id, type }) => [id, { type, id }]));
  return {
    cursor: encodeChangeCursor(position),
    kinds: hasMore ? CHANGE_KINDS : CHANGE_KINDS.filter(kind => kinds.has(kind)),
    entities: [...entities.values()].slice(0, MAX_NOTICE_ENTITIES),
    has_more: hasMore || entities.size > MAX_NOTICE_ENTITIES,
  };
}

function toKind({ origin, kind }: ChangeRow): ChangeKind {
  if (origin !== 'observation') return origin;
  return kind === 'event' ? 'event' : 'claim';
}
