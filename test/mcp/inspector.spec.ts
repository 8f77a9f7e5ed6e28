import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Client, startTestHub, type TestHub } from '../support/hub.js';

const INSPECTOR = fileURLToPath(new URL('../../node_modules/.bin/mcp-inspector', import.meta.url));

let hub: TestHub;
let acme: Client;
beforeAll(async () => {
  hub = await startTestHub();
  acme = await hub.workspace();
});
afterAll(() => hub.end());

async function inspect(...args: string[]): Promise<{ code: number | null; output: string }> {
  const header = ['--transport', 'http', '--header', `Authorization: Bearer ${acme.key}`];
  const child = spawn(INSPECTOR, ['--cli', `${hub.url}/mcp`, ...header, ...args], {
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', text => (output += text));
  const code = await new Promise<number | null>(ended => child.on('close', ended));
  return { code, output };
}

it('every schema is one that all clients can take, by the strict list of the inspector', async () => {
  const { code, output } = await inspect('--method', 'tools/list', '--strict');
  expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
  expect(output).toContain('get_workspace_status');
});
