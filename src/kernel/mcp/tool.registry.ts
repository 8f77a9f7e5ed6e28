import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { ToolLogLevel } from '#sdk/context.js';
import type { McpToolOptions } from '#sdk/tool.js';
import {
  MalformedTool,
  prepareTool,
  type RegisteredTool,
  type ToolDescriptor,
  type ToolOwner,
} from './registered.tool.js';
import type { CallLink, CallOrigin, CoreToolContext, ToolHandler } from './tool.context.js';
import { explain, explainProblems, fixedSentence } from './tool.failure.js';
import { failedResult, shapeResult, type ToolResult } from './tool.result.js';
import { refusalOf, type ToolView } from './tool.visibility.js';

/** Distinct lists that are kept; workspaces differ only by plan and scopes. */
const LISTS_KEPT = 200;

const LOGGER_METHOD = { debug: 'debug', info: 'log', warning: 'warn', error: 'error' } as const;

/** All tools of this process. Both legs list and call through it, and it alone decides who may. */
@Injectable()
export class ToolRegistry {
  private readonly logger = new Logger('mcp');
  private readonly tools = new Map<string, RegisteredTool>();
  private readonly lists = new LRUCache<string, readonly ToolDescriptor[]>({ max: LISTS_KEPT });

  /**
   * Adds a tool and says whether it was taken. A malformed or twice-named tool of the core throws, which
   * stops the boot; one of a plugin is left out with a single warning, so the other tools live.
   */
  register(options: McpToolOptions, handler: ToolHandler, owner: ToolOwner): boolean {
    try {
      const tool = prepareTool(options, handler, owner);
      const rival = this.tools.get(options.name);
      if (rival) throw new MalformedTool(options, owner, [`${rival.owner.name} has already taken its name`]);
      this.tools.set(options.name, tool);
      this.lists.clear();
      return true;
    } catch (error) {
      if (owner.plugin === undefined || !(error instanceof MalformedTool)) throw error;
      this.logger.warn(`${error.message} It is left out.`);
      return false;
    }
  }

  /** Takes the tools of a plugin away; calls that are under way end as they would have. */
  unregister(plugin: string): void {
    for (const [name, { owner }] of this.tools) if (owner.plugin === plugin) this.tools.delete(name);
    this.lists.clear();
  }

  /**
   * What a caller sees, by name. A pure function of plan and scopes and of the plugins that serve, so it never varies
   * by connection.
   */
  list(view: ToolView): readonly ToolDescriptor[] {
    const key = JSON.stringify([view.plan, [...view.scopes].sort()]);
    const known = this.lists.get(key);
    if (known) return known;
    const visible = [...this.tools.values()].filter(tool => refusalOf(tool, view) === undefined);
    const list = Object.freeze(visible.map(tool => tool.descriptor).sort(byName));
    this.lists.set(key, list);
    return list;
  }

  /** Whether a tool has said that its calls take long; false for a name that does not exist. */
  isLongRunning(name: unknown): boolean {
    return typeof name === 'string' && this.tools.get(name)?.options.longRunning === true;
  }

  /**
   * Calls a tool. Never throws: whatever goes wrong is a result that the model can act on. Undefined when,
   * for this caller, there is no tool of that name.
   */
  async call(name: string, args: unknown, call: CallOrigin & CallLink): Promise<ToolResult | undefined> {
    const tool = this.tools.get(name);
    const refusal = tool && refusalOf(tool, call.caller);
    if (!tool || refusal === 'unknown') return undefined;
    if (refusal) return failedResult(refusal.because);
    try {
      const reading = tool.read(args ?? {});
      if ('problems' in reading) return failedResult(explainProblems(name, reading.problems));
      const returned = await tool.handler(reading.value as never, this.contextOf(tool, call));
      return shapeResult(tool.options, returned);
    } catch (error) {
      return failedResult(explain(error) ?? this.fileReport(tool, call, error));
    }
  }

  private contextOf({ options }: RegisteredTool, call: CallOrigin & CallLink): CoreToolContext {
    const { caller, requestId, idempotencyKey, signal, progress, tell } = call;
    const log = (level: ToolLogLevel, message: string, details?: object): void => {
      this.logger[LOGGER_METHOD[level]]({
        ...details,
        msg: message,
        tool: options.name,
        request_id: requestId,
      });
      void tell(level, message);
    };
    return { caller, requestId, idempotencyKey, signal, progress, log };
  }

  private fileReport(
    { options }: RegisteredTool,
    { requestId, signal }: CallOrigin & CallLink,
    error: unknown,
  ): string {
    const report = { msg: 'an MCP tool failed', tool: options.name, request_id: requestId, err: error };
    if (signal.aborted) this.logger.debug(report);
    else this.logger.error(report);
    return fixedSentence(options, requestId);
  }
}

function byName(a: ToolDescriptor, b: ToolDescriptor): number {
  return a.name < b.name ? -1 : 1;
}
