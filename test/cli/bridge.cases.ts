import { fileURLToPath } from 'node:url';
import { setPlan } from '#kernel/workspaces/workspaces.repository.js';
import { AGENTS } from '../fixtures/mcp/agents.js';
import {
  expectOneJsonTwice,
  expectRefusalInWords,
  FOR_AGENTS,
  GOOD,
  ON_STARTER,
  SEVENTEEN,
} from '../fixtures/mcp/tool.cases.js';
import { homeAt } from '../support/process/cli.js';
import { record, state } from '../support/graph/graph-calls.js';
import { runNode } from '../support/process/rapport-command.js';
import { until } from '../support/until.js';
import type { Place } from './cli.fixture.js';

const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

/** Agents that speak stdio. */
export function bridgeCases(place: Place): void {
  // Each waits for seconds until a plan and a revoked key are felt, so they wait together.
  it.concurrent.each(AGENTS)(
    'carries every tool to %s, and says what to do once the key is revoked',
    async (_name, _, run) => {
      const own = await place.hub.workspace('starter');
      const { body: key } = await own.post<{ id: string; key: string }>('/v2/api-keys', {
        name: 'agent',
        scopes: ['read', 'write', 'settings'],
      });
      await record(own, 'ada@acme.com', [state('name', 'Ada Lovelace'), state('title', 'VP Sales')]);
      const home = homeAt({ RAPPORT_BASE_URL: place.hub.url, RAPPORT_API_KEY: key.key });
      const agent = await run({ command: process.execPath, args: [main, 'mcp'], env: home.env });
      // Plugins add tools of their own.
      const names = async () => (await agent.tools()).map(({ name }) => name).filter(name => SEVENTEEN.includes(name));
      try {
        expect(await names()).toEqual(ON_STARTER);
        expect(await agent.call('configure_crm_sync', {})).toMatchObject({
          isError: true,
          text: expect.stringContaining('plan "growth"'),
        });
        await setPlan(place.hub.database.work, own.workspaceId, 'growth');
        await until('the new plan is known', async () => (await names()).length > ON_STARTER.length);
        expect(await names()).toEqual(FOR_AGENTS);
        for (const [name, args] of GOOD) await expectOneJsonTwice(agent, name, args);
        for (const name of FOR_AGENTS) await expectRefusalInWords(agent, name);
        await expect(agent.call('no_such_tool')).rejects.toMatchObject({ code: -32602 });
        await own.delete(`/v2/api-keys/${key.id}`);
        const refused = await until('the hub refuses the key', () =>
          agent.call('get_account', { id: 'ada@acme.com' }).then(
            () => undefined,
            error => error as object,
          ),
        );
        expect(refused).toMatchObject({ code: -32001, message: expect.stringContaining('Run rapport login') });
        expect(agent.said()).not.toContain(key.key);
      } finally {
        await agent.close();
        home.remove();
      }
    },
  );

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
    const [away, outsider] = await Promise.all([
      ask({ RAPPORT_BASE_URL: 'http://127.0.0.1:1' }),
      ask({ RAPPORT_API_KEY: '' }),
    ]);
    expect(JSON.parse(away.out)).toMatchObject({
      id: 7,
      error: { code: -32002, message: expect.stringContaining('reached') },
    });
    expect(JSON.parse(outsider.out)).toMatchObject({
      id: 7,
      error: { code: -32001, message: expect.stringContaining('login') },
    });
    expect([away.code, outsider.code]).toEqual([0, 0]);
  });
}
