import { fileURLToPath } from 'node:url';
import { Client as ModernClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernStdio } from '@modelcontextprotocol/client/stdio';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as LegacyStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { runNode } from '../support/rapport-command.js';
import { until } from '../support/until.js';
import type { Place } from './place.js';

const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const INFO = { name: 'rapport-tests', version: '1.0.0' };

interface Result {
  readonly isError?: unknown;
  readonly structuredContent?: unknown;
}

/** The part of a client that the cases need. */
interface Agent {
  tools(): Promise<string[]>;
  call(name: string, args: Record<string, unknown>): Promise<Result>;
  /** What the bridge has said on stderr. */
  said(): string;
  close(): Promise<void>;
}

type Connect = (env: Record<string, string>) => Promise<Agent>;

const legacy: Connect = async env => {
  const way = new LegacyStdio({ command: process.execPath, args: [main, 'mcp'], env, stderr: 'pipe' });
  const said = collect(way.stderr);
  const client = new LegacyClient(INFO);
  await client.connect(way);
  return {
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args) => (await client.callTool({ name, arguments: args })) as Result,
    said,
    close: () => client.close(),
  };
};

const modern: Connect = async env => {
  const way = new ModernStdio({ command: process.execPath, args: [main, 'mcp'], env, stderr: 'pipe' });
  const said = collect(way.stderr);
  const client = new ModernClient(INFO, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  await client.connect(way);
  return {
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args) => (await client.callTool({ name, arguments: args })) as Result,
    said,
    close: () => client.close(),
  };
};

function collect(stream: unknown): () => string {
  let text = '';
  (stream as NodeJS.ReadableStream | null)?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return () => text;
}

/** Agents that speak stdio. */
export function bridgeCases(place: Place): void {
  it.each([
    ['client 1.x', legacy],
    ['client 2.x at 2026-07-28', modern],
  ])('carries what %s says, and says what to do once the key is revoked', async (_, connect) => {
    const { body: key } = await place.acme.post<{ id: string; key: string }>('/v2/api-keys', { name: 'agent' });
    const agent = await connect({ ...place.home.env, RAPPORT_API_KEY: key.key });
    try {
      expect(await agent.tools()).toEqual(expect.arrayContaining(['get_account', 'record']));
      const observations = [{ kind: 'state', property: 'title', value: 'CTO' }];
      const good = await agent.call('record', { focus: 'bridge@acme.com', observations });
      expect(good.isError).toBeFalsy();
      expect((await agent.call('get_account', { id: 'bridge@acme.com' })).structuredContent).toMatchObject({
        claims: expect.anything(),
      });
      expect(await agent.call('record', { focus: 'Somebody', observations })).toMatchObject({ isError: true });
      await expect(agent.call('no_such_tool', {})).rejects.toMatchObject({ code: -32602 });
      await place.acme.delete(`/v2/api-keys/${key.id}`);
      await until('the hub refuses the key', async () =>
        agent.call('get_account', { id: 'bridge@acme.com' }).then(
          () => undefined,
          error => {
            expect(error).toMatchObject({ code: -32001, message: expect.stringContaining('Run rapport login') });
            return true;
          },
        ),
      );
      expect(agent.said()).not.toContain(key.key);
    } finally {
      await agent.close();
    }
  });

  it('tells a client what to do when the hub is away or nobody is signed in, and ends with stdin', async () => {
    const ask = (env: Record<string, string>) =>
      runNode(
        [
          '--input-type=module',
          '-e',
          `import { PassThrough } from 'node:stream';
           const stdin = new PassThrough();
           Object.defineProperty(process, 'stdin', { value: stdin });
           process.argv[2] = 'mcp';
           stdin.end('{"jsonrpc":"2.0","id":7,"method":"tools/list"}\\nnonsense\\n');
           await import(${JSON.stringify(main)});`,
          'rapport',
        ],
        { ...place.home.env, ...env },
      );
    const [away, stranger] = await Promise.all([
      ask({ RAPPORT_BASE_URL: 'http://127.0.0.1:1' }),
      ask({ RAPPORT_API_KEY: '' }),
    ]);
    expect(JSON.parse(away.out)).toMatchObject({
      id: 7,
      error: { code: -32002, message: expect.stringContaining('reached') },
    });
    expect(JSON.parse(stranger.out)).toMatchObject({
      id: 7,
      error: { code: -32001, message: expect.stringContaining('login') },
    });
    expect([away.code, stranger.code]).toEqual([0, 0]);
  });
}
