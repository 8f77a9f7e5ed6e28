import {
  junkRequests,
  type LargestRequest,
  largestRequests,
  largestToolCalls,
  type ListedTool,
  type OpenApiDocument,
} from '../load/largest-requests.ts';
import { type Finding, once } from '../report/finding.ts';
import type { WatchedJob } from '../baselines/watched-hub.ts';
import { Helper } from '../env/helper.ts';
import { createWorkspace } from '../env/hub.ts';
import { secretKeys } from '../env/secrets.ts';
import type { Measure } from './bench.ts';

/** Milliseconds for which one request may keep the event loop. */
const MAX_DELAY_MS = 50;
/** A request is measured again when it seems slow: the least of its delays is that of a quiet core. */
const TRIES = 3;
const WORTH_TELLING_MS = 15;
const SHOWN = 25;
/** More than any path accepts; the refusal names the limit. */
const TOO_MANY_BYTES = 11 * 1024 * 1024;

/** Bytes of a body that `/mcp` and `/hooks` accept, which the OpenAPI document does not describe. */
const MAX_BODY_BYTES = 1024 * 1024;

/** In place of a status: the hub closed the connection while the body was still being sent, as it may after a refusal. */
const CLOSED = 0;

interface Delay {
  readonly operationId: string;
  readonly contents: string;
  readonly bytes: number;
  readonly status: number;
  readonly ms: number;
}

/** For how long the event loop of an idle hub is kept by the largest request that each operation allows. */
export const loop: Measure = async ({ postgres, operations }) => {
  const databaseUrl = await postgres.createDatabase();
  const hub = Helper.start<WatchedJob, string | number>('baselines/watched-hub.ts', {
    DATABASE_URL: databaseUrl,
    SECRET_KEYS: secretKeys,
    RATE_LIMITS: '0',
    PUBLIC_RATE_LIMIT: '0',
    REDIS_URL: '',
  });
  try {
    const url = (await hub.ask('open')) as string;
    const { key } = await createWorkspace(databaseUrl);
    const document = (await (await fetch(`${url}/openapi.json`)).json()) as OpenApiDocument;
    const limits = await bodyLimits(url, key, document);
    const delays: Delay[] = [];
    const requests = [
      ...largestRequests(document, (method, path) => limits.get(`${method} ${path}`)!),
      ...largestToolCalls(await listTools(url, key), MAX_BODY_BYTES),
      ...junkRequests('hooks', `/hooks/${'a'.repeat(54)}/calls`, MAX_BODY_BYTES),
    ];
    for (const request of requests) {
      if (operations?.includes(request.operationId) ?? true) delays.push(await delayOf(hub, url, key, request));
    }
    return [findingOf(delays)];
  } finally {
    await hub.end();
  }
};

async function delayOf(hub: Helper<WatchedJob, string | number>, url: string, key: string, request: LargestRequest) {
  const { operationId, contents } = request;
  const body = request.body?.();
  let least = Infinity;
  let status = 0;
  for (let i = 0; i < TRIES && least > WORTH_TELLING_MS; i++) {
    await hub.ask('watch');
    status = await send(url + request.path, request.method, key, body).catch(() => CLOSED);
    least = Math.min(least, (await hub.ask('busiest')) as number);
  }
  return { operationId, contents, bytes: Buffer.byteLength(body ?? ''), status, ms: least };
}

async function send(url: string, method: string, key: string, body?: string): Promise<number> {
  const headers = {
    authorization: `Bearer ${key}`,
    accept: 'application/json, text/event-stream',
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
  const answer = await fetch(url, { method, headers, ...(body !== undefined && { body }) });
  await answer.arrayBuffer();
  return answer.status;
}

async function listTools(url: string, key: string): Promise<readonly ListedTool[]> {
  const answer = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });
  const { result } = (await answer.json()) as { result: { tools: readonly ListedTool[] } };
  return result.tools;
}

/** The bytes that the body of each operation may have, by method and path. */
async function bodyLimits(url: string, key: string, document: OpenApiDocument): Promise<Map<string, number>> {
  const limits = new Map<string, number>();
  const body = ' '.repeat(TOO_MANY_BYTES);
  for (const [path, methods] of Object.entries(document.paths)) {
    const plain = path.replaceAll(/\{\w+\}/g, 'ada@acme.com');
    for (const [method, { requestBody }] of Object.entries(methods)) {
      if (!requestBody) continue;
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const answer = await fetch(url + plain, { method: method.toUpperCase(), headers, body });
      const { max } = (await answer.json()) as { max?: number };
      if (max === undefined) throw new Error(`${method} ${path} names no limit of its body`);
      limits.set(`${method.toUpperCase()} ${plain}`, max);
    }
  }
  return limits;
}

function findingOf(delays: readonly Delay[]): Finding {
  const worst = new Map<string, Delay>();
  for (const each of delays) if (each.ms > (worst.get(each.operationId)?.ms ?? -1)) worst.set(each.operationId, each);
  const shown = [...worst.values()].toSorted((a, b) => b.ms - a.ms);
  const most = shown[0]!;
  return {
    goal: 'loop',
    workload: `longest delay of the event loop by one of ${delays.length} requests to ${worst.size} operations and tools`,
    ours: `${most.ms.toFixed(0)} ms`,
    beside: `${MAX_DELAY_MS} ms`,
    figure: once(most.ms),
    unit: ' ms',
    wanted: 'less',
    floor: MAX_DELAY_MS,
    aim: undefined,
    correct: delays.every(({ status }) => status < 500),
    notes: shown.slice(0, SHOWN).map(tell),
  };
}

function tell({ operationId, contents, bytes, status, ms }: Delay): string {
  return `${ms.toFixed(0)} ms: ${operationId}, ${contents}, ${(bytes / 1024).toFixed(0)} KB, answered ${status}`;
}
