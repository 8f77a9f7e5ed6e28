import { setTimeout as pause } from 'node:timers/promises';
import { UNFINISHED } from './run.js';
import { Run, RunList, RunsQuery } from './runs.dto.js';
import { Readable } from 'node:stream';
import { Controller, Get, Param, Post, Query, Req, Res, StreamableFile } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '#kernel/auth/caller.js';
import { CurrentCaller } from '#kernel/auth/caller.guard.js';
import type { HandlerResponse } from '#kernel/http/response.hook.js';
import { openEventStream } from '#kernel/http/event-stream.js';
import { liftTimeLimits } from '#kernel/http/long-requests.js';
import { Operation, UuidParam } from '#kernel/http/openapi/operation.decorator.js';
import { type IdempotencyKey, WithIdempotencyKey } from '#kernel/idempotency/idempotency-store.js';
import { RunsService } from './runs.service.js';

const POLL_INTERVAL_MS = 500;
/** How often a comment is sent when nothing changes, so that proxies keep the connection, in polls. */
const POLLS_PER_COMMENT = 30;
/** How long a stream lasts; clients connect again by themselves, in polls. */
const MAX_POLLS = 1_800;

/**
 * Yields server-sent events of a run: `run` with the run, at first and whenever it changes, until it has ended.
 * @param read returns the run; undefined if it is gone
 * @param isOpen returns false when the stream has to end: the client is gone, the process shuts down, or the key or session
 *   of the client has ended
 */
export async function* streamRunEvents(
  first: Run,
  read: () => Promise<Run | undefined>,
  isOpen: () => boolean | Promise<boolean>,
): AsyncGenerator<string> {
  let current: Run | undefined = first;
  yield formatEvent(first);
  for (let poll = 1; poll <= MAX_POLLS && UNFINISHED.includes(current.status) && (await isOpen()); poll++) {
    await pause(POLL_INTERVAL_MS);
    const previous: Run = current;
    current = await read();
    if (!current) return;
    if (JSON.stringify(current) !== JSON.stringify(previous)) yield formatEvent(current);
    else if (poll % POLLS_PER_COMMENT === 0) yield ': still running\n\n';
  }
}

function formatEvent(run: Run): string {
  return `event: run\nid: ${run.updated_at}\ndata: ${JSON.stringify(run)}\n\n`;
}

const PluginParam = () =>
  ApiParam({
    name: 'plugin',
    description: 'ID of the plugin.',
    schema: { type: 'string', maxLength: 60, example: 'csv-import' },
  });

const NOT_FOUND = 'Returns 404 `run_not_found` for an unknown ID and 409 `plugin_not_installed` for an unknown plugin.';

/** Endpoints for the runs of plugins. */
@ApiTags('Runs')
@Controller('v2/plugins/:plugin/runs')
export class RunsController {
  constructor(private readonly runs: RunsService) {}

  /** Lists runs, page by page. */
  @Get()
  @PluginParam()
  @Operation({
    id: 'listRuns',
    summary: 'List runs',
    description:
      'Returns the runs of a plugin, such as imports and syncs, newest first. Runs are deleted 30 days after their ' +
      'end. Returns 409 `plugin_not_installed` for an unknown plugin.',
    response: { type: RunList, description: 'A page of runs.' },
  })
  list(
    @CurrentCaller() { workspaceId }: Caller,
    @Param('plugin') plugin: string,
    @Query() query: RunsQuery,
  ): Promise<RunList> {
    return this.runs.list(workspaceId, plugin, query);
  }

  /** Reads one run. */
  @Get(':id')
  @PluginParam()
  @UuidParam('run')
  @Operation({
    id: 'getRun',
    summary: 'Get a run',
    description: `Returns the status, progress and result of a run. ${NOT_FOUND}`,
    response: { type: Run, description: 'The run.' },
  })
  read(
    @CurrentCaller() { workspaceId }: Caller,
    @Param('plugin') plugin: string,
    @Param('id') id: string,
  ): Promise<Run> {
    return this.runs.read(workspaceId, plugin, id);
  }

  /** Streams the changes of a run. */
  @Get(':id/events')
  @PluginParam()
  @UuidParam('run')
  @Operation({
    id: 'streamRun',
    summary: 'Stream the progress of a run',
    description:
      'Sends the run as a server-sent event `run`, at once and whenever it changes, until it has ended. Clients ' +
      `connect again after a quarter of an hour. ${NOT_FOUND}`,
    response: { type: Run, description: 'Events with the run as JSON.', fileType: 'text/event-stream' },
  })
  async events(
    @CurrentCaller() { workspaceId }: Caller,
    @Param('plugin') plugin: string,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Readable> {
    const first = await this.runs.read(workspaceId, plugin, id);
    const read = () => this.runs.read(workspaceId, plugin, id).catch(() => undefined);
    return Readable.from(streamRunEvents(first, read, openEventStream(request, reply)), { objectMode: false });
  }

  /** Downloads the reported rows. */
  @Get(':id/report')
  @PluginParam()
  @UuidParam('run')
  @Operation({
    id: 'downloadRunReport',
    summary: 'Download the rows that a run did not take',
    description:
      'Returns the reported rows as CSV, in the order of the run: where each is, its field, what is wrong, and its ' +
      'original cells. Cells that a spreadsheet program would take for a formula begin with an apostrophe. ' +
      NOT_FOUND,
    response: { type: Run, description: 'The rows.', fileType: 'text/csv' },
  })
  async report(
    @CurrentCaller() { workspaceId }: Caller,
    @Param('plugin') plugin: string,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    const lines = await this.runs.report(workspaceId, plugin, id);
    liftTimeLimits(request, reply);
    return new StreamableFile(Readable.from(lines, { objectMode: false }), {
      type: 'text/csv; charset=utf-8',
      disposition: `attachment; filename="rejected-rows-${id}.csv"`,
    });
  }

  /** Pauses a run. */
  @Post(':id/pause')
  @PluginParam()
  @UuidParam('run')
  @Operation({
    id: 'pauseRun',
    summary: 'Pause a run',
    description: `Lets the current step end and starts no other one until the run is resumed. Returns 409 \`run_conflict\` if the run has ended. ${NOT_FOUND}`,
    response: { type: Run, description: 'The run.' },
    isIdempotent: true,
  })
  pause(
    @CurrentCaller() caller: Caller,
    @Param('plugin') plugin: string,
    @Param('id') id: string,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<HandlerResponse<Run>> {
    return this.runs.control(caller, plugin, id, 'pause', key);
  }

  /** Resumes a run. */
  @Post(':id/resume')
  @PluginParam()
  @UuidParam('run')
  @Operation({
    id: 'resumeRun',
    summary: 'Resume a run',
    description: `Continues a paused run with its next step. Returns 409 \`run_conflict\` if the run has ended. ${NOT_FOUND}`,
    response: { type: Run, description: 'The run.' },
    isIdempotent: true,
  })
  resume(
    @CurrentCaller() caller: Caller,
    @Param('plugin') plugin: string,
    @Param('id') id: string,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<HandlerResponse<Run>> {
    return this.runs.control(caller, plugin, id, 'resume', key);
  }

  /** Cancels a run. */
  @Post(':id/cancel')
  @PluginParam()
  @UuidParam('run')
  @Operation({
    id: 'cancelRun',
    summary: 'Cancel a run',
    description: `Ends a run and aborts its current step within seconds. What it has written stays. Returns 409 \`run_conflict\` if the run has finished or failed. ${NOT_FOUND}`,
    response: { type: Run, description: 'The run.' },
    isIdempotent: true,
  })
  cancel(
    @CurrentCaller() caller: Caller,
    @Param('plugin') plugin: string,
    @Param('id') id: string,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<HandlerResponse<Run>> {
    return this.runs.control(caller, plugin, id, 'cancel', key);
  }

  /** Retries a run. */
  @Post(':id/retry')
  @PluginParam()
  @UuidParam('run')
  @Operation({
    id: 'retryRun',
    summary: 'Retry a run',
    description: `Continues a failed or cancelled run with the step at which it ended. Returns 409 \`run_conflict\` if the run is paused or has finished. ${NOT_FOUND}`,
    response: { type: Run, description: 'The run.' },
    isIdempotent: true,
  })
  retry(
    @CurrentCaller() caller: Caller,
    @Param('plugin') plugin: string,
    @Param('id') id: string,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<HandlerResponse<Run>> {
    return this.runs.control(caller, plugin, id, 'retry', key);
  }
}
