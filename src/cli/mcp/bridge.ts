import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { isJSONRPCRequest, type JSONRPCMessage, type RequestId } from '@modelcontextprotocol/sdk/types.js';
import type { Terminal } from '../base/terminal.js';
import type { Settings } from '../settings/settings.js';
import { BridgeError, rpcErrorOf } from './bridge-error.js';
import { carried } from './hub-line.js';

/** How long requests that are under way may still take once stdin has closed. */
const LAST_WORDS_MS = 5_000;
const LARGEST_MESSAGE = 16 * 1024 * 1024;

/**
 * Carries JSON-RPC messages between stdio and the hub's MCP endpoint, as they are and in both directions, until stdin
 * closes. What goes wrong on the way becomes the answer of the request that it met; nothing but messages is written to
 * stdout.
 */
export class Bridge {
  private readonly agent: StdioServerTransport;
  /** Requests under way, and how to leave them. */
  private readonly open = new Map<RequestId, AbortController>();
  private readonly working = new Set<Promise<void>>();
  /** What `initialize` agreed on; over HTTP each later message repeats it. */
  private version: string | undefined;

  constructor(
    private readonly terminal: Terminal,
    private readonly settings: () => Promise<Settings>,
  ) {
    const { stdin, stdout } = terminal;
    this.agent = new StdioServerTransport(stdin as never, stdout as never, { maxBufferSize: LARGEST_MESSAGE });
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
    const cancelled = cancelledBy(message);
    if (cancelled !== undefined) return this.leave(cancelled);
    const work = isJSONRPCRequest(message) ? this.ask(message, message.id) : this.tell(message);
    this.working.add(work);
    void work.finally(() => this.working.delete(work));
  }

  private async ask(message: JSONRPCMessage, id: RequestId): Promise<void> {
    const request = new AbortController();
    this.open.set(id, request);
    let answered = false;
    try {
      for await (const coming of this.carry(message, request.signal)) {
        if (isAnswer(coming)) {
          answered = true;
          this.note(message, coming);
        }
        await this.agent.send(coming);
      }
      if (!answered) throw new BridgeError('unreachable', 'The hub broke off. It may have done what was asked.');
    } catch (error) {
      // Nobody waits for the answer of a request that was cancelled.
      if (!request.signal.aborted && !answered) await this.fail(id, error);
    } finally {
      this.open.delete(id);
    }
  }

  private async tell(message: JSONRPCMessage): Promise<void> {
    try {
      for await (const coming of this.carry(message, new AbortController().signal)) await this.agent.send(coming);
    } catch (error) {
      this.log(messageOf(error));
    }
  }

  private carry(message: JSONRPCMessage, signal: AbortSignal): AsyncGenerator<JSONRPCMessage> {
    const line = { settings: this.settings, log: (text: string) => this.log(text) };
    return carried(line, message, this.version, signal);
  }

  private async fail(id: RequestId, error: unknown): Promise<void> {
    this.log(messageOf(error));
    await this.agent.send({ jsonrpc: '2.0', id, error: rpcErrorOf(error) });
  }

  /** Over HTTP a request is cancelled by leaving. */
  private leave(id: RequestId): void {
    this.open.get(id)?.abort();
  }

  private note(asked: JSONRPCMessage, answer: JSONRPCMessage): void {
    if (!('method' in asked) || asked.method !== 'initialize' || !('result' in answer)) return;
    const { protocolVersion } = answer.result;
    if (typeof protocolVersion === 'string') this.version = protocolVersion;
  }

  private async finish(): Promise<void> {
    const patience = this.terminal.signal.aborted ? 0 : LAST_WORDS_MS;
    const late = setTimeout(() => [...this.open.keys()].forEach(id => this.leave(id)), patience);
    await Promise.allSettled(this.working);
    clearTimeout(late);
    await this.agent.close();
  }

  private log(line: string): void {
    this.terminal.stderr.write(`rapport mcp: ${line}\n`);
  }
}

function isAnswer(message: JSONRPCMessage): boolean {
  return 'id' in message && !('method' in message);
}

function cancelledBy(message: JSONRPCMessage): RequestId | undefined {
  if (!('method' in message) || message.method !== 'notifications/cancelled') return undefined;
  return message.params?.['requestId'] as RequestId | undefined;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
