import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { isJSONRPCRequest, type JSONRPCMessage, type RequestId } from '@modelcontextprotocol/sdk/types.js';
import type { Terminal } from '../base/terminal.js';
import type { Settings } from '../settings/settings.js';
import { BridgeError, toRpcError } from './bridge-error.js';
import { forward } from './http-transport.js';

/** How long requests that are under way may still take once stdin has closed. */
const SHUTDOWN_TIMEOUT_MS = 5_000;
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

/**
 * Carries JSON-RPC messages between stdio and the hub's MCP endpoint, as they are and in both directions, until stdin
 * closes. What goes wrong on the way becomes the answer of the request that it met; nothing but messages is written to
 * stdout.
 */
export class Bridge {
  private readonly agent: StdioServerTransport;
  /** Requests under way, and how to leave them. */
  private readonly openRequests = new Map<RequestId, AbortController>();
  private readonly pendingWork = new Set<Promise<void>>();
  /** What `initialize` agreed on; over HTTP each later message repeats it. */
  private protocolVersion: string | undefined;

  constructor(
    private readonly terminal: Terminal,
    private readonly settings: () => Promise<Settings>,
  ) {
    const { stdin, stdout } = terminal;
    this.agent = new StdioServerTransport(stdin as never, stdout as never, { maxBufferSize: MAX_MESSAGE_BYTES });
  }

  /** Runs until stdin closes or the process is asked to end. */
  async run(): Promise<void> {
    const { stdin, signal } = this.terminal;
    const closed = new Promise<void>(resolve => {
      for (const event of ['end', 'close']) stdin.once(event, () => resolve());
      signal.addEventListener('abort', () => resolve());
    });
    Object.assign(this.agent, {
      onmessage: (message: JSONRPCMessage) => this.accept(message),
      onerror: (error: Error) => this.log(`stdin: ${error.message}`),
    });
    const { baseUrl } = await this.settings();
    await this.agent.start();
    this.log(`stdio is bridged to ${baseUrl}/mcp`);
    await closed;
    await this.finish();
  }

  private accept(message: JSONRPCMessage): void {
    const cancelled = readCancelledId(message);
    if (cancelled !== undefined) return this.cancel(cancelled);
    const work = isJSONRPCRequest(message)
      ? this.forwardRequest(message, message.id)
      : this.forwardNotification(message);
    this.pendingWork.add(work);
    void work.finally(() => this.pendingWork.delete(work));
  }

  private async forwardRequest(message: JSONRPCMessage, id: RequestId): Promise<void> {
    const request = new AbortController();
    this.openRequests.set(id, request);
    let answered = false;
    try {
      for await (const coming of this.relay(message, request.signal)) {
        if (isResponse(coming)) {
          answered = true;
          this.captureProtocolVersion(message, coming);
        }
        await this.agent.send(coming);
      }
      if (!answered) throw new BridgeError('unreachable', 'The hub broke off. It may have done what was asked.');
    } catch (error) {
      // Nobody waits for the answer of a request that was cancelled.
      if (!request.signal.aborted && !answered) await this.fail(id, error);
    } finally {
      this.openRequests.delete(id);
    }
  }

  private async forwardNotification(message: JSONRPCMessage): Promise<void> {
    try {
      for await (const coming of this.relay(message, new AbortController().signal)) await this.agent.send(coming);
    } catch (error) {
      this.log(toErrorMessage(error));
    }
  }

  private relay(message: JSONRPCMessage, signal: AbortSignal): AsyncGenerator<JSONRPCMessage> {
    const line = { settings: this.settings, log: (text: string) => this.log(text) };
    return forward(line, message, this.protocolVersion, signal);
  }

  private async fail(id: RequestId, error: unknown): Promise<void> {
    this.log(toErrorMessage(error));
    await this.agent.send({ jsonrpc: '2.0', id, error: toRpcError(error) });
  }

  /** Over HTTP a request is cancelled by leaving. */
  private cancel(id: RequestId): void {
    this.openRequests.get(id)?.abort();
  }

  private captureProtocolVersion(asked: JSONRPCMessage, answer: JSONRPCMessage): void {
    if (!('method' in asked) || asked.method !== 'initialize' || !('result' in answer)) return;
    const { protocolVersion } = answer.result;
    if (typeof protocolVersion === 'string') this.protocolVersion = protocolVersion;
  }

  private async finish(): Promise<void> {
    const patience = this.terminal.signal.aborted ? 0 : SHUTDOWN_TIMEOUT_MS;
    const late = setTimeout(() => [...this.openRequests.keys()].forEach(id => this.cancel(id)), patience);
    await Promise.allSettled(this.pendingWork);
    clearTimeout(late);
    await this.agent.close();
  }

  private log(line: string): void {
    this.terminal.stderr.write(`rapport mcp: ${line}\n`);
  }
}

function isResponse(message: JSONRPCMessage): boolean {
  return 'id' in message && !('method' in message);
}

function readCancelledId(message: JSONRPCMessage): RequestId | undefined {
  if (!('method' in message) || message.method !== 'notifications/cancelled') return undefined;
  return message.params?.['requestId'] as RequestId | undefined;
}

function toErrorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
