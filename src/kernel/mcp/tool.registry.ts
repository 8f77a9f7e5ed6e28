import { Injectable, Logger } from '@nestjs/common';
import type { McpToolOptions } from '#sdk/tool.js';
import {
  MalformedTool,
  prepareTool,
  type RegisteredTool,
  type ToolDescriptor,
  type ToolOwner,
} from './registered.tool.js';
import { contextOf, reportFailure } from './call.context.js';
import { Shelf } from './shelf.js';
import type { CallLink, CallOrigin, ToolHandler } from './tool.context.js';
import { leftOutBy, type ToolChoice } from './tool.choice.js';
import { explain, explainProblems, fixedSentence } from './tool.failure.js';
import { failedResult, shapeResult, type ToolResult } from './tool.result.js';
import { refusalOf, type ToolView } from './tool.visibility.js';

/** All tools of this process. Both legs list and call through it, and it alone decides who may. */
@Injectable()
export class ToolRegistry {
  private readonly logger = new Logger('mcp');
  private readonly tools = new Shelf<RegisteredTool>();

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
      return true;
    } catch (error) {
      if (owner.plugin === undefined || !(error instanceof MalformedTool)) throw error;
      this.logger.warn(`${error.message} It is left out.`);
      return false;
    }
  }

  /** Takes the tools of a plugin away; calls that are under way end as they would have. */
  unregister(plugin: string): void {
    this.tools.removeOf(plugin);
  }

  /**
   * What a caller sees, by name. A pure function of plan and scopes, of the plugins that serve, and of what the client
   * has chosen by its address.
   */
  list(view: ToolView, choice?: ToolChoice): readonly ToolDescriptor[] {
    const all: readonly ToolDescriptor[] = this.tools.list(view);
    return choice ? all.filter(({ name }) => leftOutBy(choice, this.tools.get(name)!.options) === undefined) : all;
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
    const leftOut = leftOutBy(call.choice, tool.options);
    if (leftOut) return failedResult(leftOut);
    try {
      const reading = tool.read(args ?? {});
      if ('problems' in reading) return failedResult(explainProblems(name, reading.problems));
      const returned = await tool.handler(reading.value as never, contextOf(tool.what, call));
      return shapeResult(tool.options, returned);
    } catch (error) {
      return failedResult(explain(error) ?? this.fileReport(tool, call, error));
    }
  }

  private fileReport({ options, what }: RegisteredTool, call: CallOrigin & CallLink, error: unknown): string {
    reportFailure(what, call, error);
    const { readOnlyHint, idempotentHint } = options.annotations;
    return fixedSentence(what, readOnlyHint || idempotentHint, call.requestId);
  }
}
