import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { serve } from '../env/serve.ts';
import { personOf, threeObservations } from './requests.ts';
import { type Extent, driveLoad, type Sample } from './sample.ts';

/** An MCP server that remembers: ours over HTTP, or the official memory server over standard input and output. */
export type Memory =
  | { readonly kind: 'hub'; readonly url: string; readonly key: string }
  | { readonly kind: 'server-memory'; readonly program: string; readonly file: string };

/** Load on an MCP server with the official client: three observations about one entity per call. */
export interface McpJob {
  readonly memory: Memory;
  /** Calls in flight at once. */
  readonly inFlight: number;
  readonly extent: Extent;
  /** Numbered people to write about in turn; one person only if `count` is 1. */
  readonly people: { readonly from: number; readonly count: number };
}

let calls = 0;

serve<McpJob, Sample>(async ({ memory, inFlight, extent, people }) => {
  const client = new Client({ name: 'bench', version: '1.0.0' });
  await client.connect(transportTo(memory));
  const sample = await driveLoad(
    Array.from({ length: inFlight }, () => client),
    extent,
    async (lane, tally) => {
      const n = calls++;
      const params = callOf(memory, personOf(people.from + (n % people.count)), n);
      const began = performance.now();
      const { isError } = await lane.callTool(params);
      if (isError) tally.fail();
      else tally.done(performance.now() - began, 3);
    },
  );
  await client.close();
  return sample;
});

function transportTo(memory: Memory) {
  if (memory.kind === 'hub') {
    const requestInit = { headers: { authorization: `Bearer ${memory.key}` } };
    return new StreamableHTTPClientTransport(new URL('/mcp', memory.url), { requestInit });
  }
  const env = { MEMORY_FILE_PATH: memory.file };
  return new StdioClientTransport({ command: process.execPath, args: [memory.program], env, stderr: 'ignore' });
}

function callOf({ kind }: Memory, person: string, n: number) {
  if (kind === 'hub') return { name: 'record', arguments: { focus: person, observations: threeObservations(n) } };
  const contents = [
    `title: VP Sales, call ${n}`,
    `intent: interested, call ${n}`,
    `asked for the price list, call ${n}`,
  ];
  return { name: 'add_observations', arguments: { observations: [{ entityName: person, contents }] } };
}
