import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { isJSONRPCRequest, type JSONRPCMessage, type RequestId } from '@modelcontextprotocol/sdk/types.js';
import type { Terminal } from '../base/terminal.js';
import type { Settings } from '../settings/settings.js';
import { BridgeError, toRpcError, forward } from './http-transport.js';

/** Time that requests in flight may still take after stdin has closed. */
const SHUTDOWN_TIMEOUT_MS = 5_000;
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

/**
 * Forwards JSON-RPC messages unchanged between stdio and the hub's MCP endpoint, in both directions, until stdin
 * closes. Errors become the response of the affected request. Only messages are written to stdout.
 */
export class Bridge {
  private readonly agent: StdioServerTransport;
  /** Requests in flight with their abort controllers. */
  private readonly openRequests = new Map<RequestId, AbortController>();
  private readonly pendingWork = new Set<Promise<void>>();
  /** Revision negotiated by `initialize`, which every later HTTP request repeats. */
  private protocolVersion: string | undefined;

  constructor(
    private readonly terminal: Terminal,
    private readonly settings: () => Promise<Settings>,
  ) {
    const { stdin, stdout } = terminal;
    this.agent = new StdioServerTransport(stdin as never, stdout as never, { maxBufferSize: MAX_MESSAGE_BYTES });
  }

  /** Runs until stdin closes or the signal aborts. */
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
    let hasResponded = false;
    try {
      for await (const received of this.relay(message, request.signal)) {
        if (isResponse(received)) {
          hasResponded = true;
          this.captureProtocolVersion(message, received);
        }
        await this.agent.send(received);
      }
      if (!hasResponded)
        throw new BridgeError('unreachable', 'The hub closed the connection. The request may have taken effect.');
    } catch (error) {
      // A cancelled request gets no response.
      if (!request.signal.aborted && !hasResponded) await this.fail(id, error);
    } finally {
      this.openRequests.delete(id);
    }
  }

  private async forwardNotification(message: JSONRPCMessage): Promise<void> {
    try {
      for await (const received of this.relay(message, new AbortController().signal)) await this.agent.send(received);
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

  /** Cancels a request by closing its HTTP request. */
  private cancel(id: RequestId): void {
    this.openRequests.get(id)?.abort();
  }

  private captureProtocolVersion(request: JSONRPCMessage, answer: JSONRPCMessage): void {
    if (!('method' in request) || request.method !== 'initialize' || !('result' in answer)) return;
    const { protocolVersion } = answer.result;
    if (typeof protocolVersion === 'string') this.protocolVersion = protocolVersion;
  }

  private async finish(): Promise<void> {
    const timeoutMs = this.terminal.signal.aborted ? 0 : SHUTDOWN_TIMEOUT_MS;
    const timer = setTimeout(() => [...this.openRequests.keys()].forEach(id => this.cancel(id)), timeoutMs);
    await Promise.allSettled(this.pendingWork);
    clearTimeout(timer);
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
