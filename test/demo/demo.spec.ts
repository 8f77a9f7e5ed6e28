import { fileURLToPath } from 'node:url';
import { runChild } from '../support/process/child-process.js';
import { type Client, startTestHub, type TestHub } from '../support/hub.js';

const DEMO = fileURLToPath(new URL('../../demo/demo.mjs', import.meta.url));

describe('npm run demo', () => {
  let hub: TestHub;
  let workspace: Client;
  beforeAll(async () => {
    hub = await startTestHub();
    workspace = await hub.workspace();
  });
  afterAll(() => hub.end());

  const run = async (...words: string[]) => {
    const { code, stdout } = await runChild(process.execPath, [DEMO, ...words], {
      env: { ...process.env, RAPPORT_BASE_URL: hub.url, RAPPORT_API_KEY: workspace.key },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    return { code, said: stdout };
  };

  it('records every row that names somebody, tells why it refuses the others, and shows an account', async () => {
    const { code, said: message } = await run('--limit', '60');
    expect(code).toBe(0);
    expect(message).toContain('60 of 60 rows, 12 rejected');
    expect(message).toMatch(/rows accepted +48 of 60/);
    expect(message).toContain('The e-mail address has no "@"');
    expect(message).toContain('12 matthbw78eallard-mcdonald.net');
    expect(message).toContain('empty cell, lines 11 14 15 18 23 27 33 54');
    expect(message).toMatch(/WHAT IS CLAIMED {2}\d claims/);
    expect(message).not.toContain('\u001b');
  });

  it('records nothing twice, and shows the requested account', async () => {
    const { code, said: output } = await run('--limit', '60', '--account', 'hannah88@powers.com');
    expect(code).toBe(0);
    expect(output).toMatch(/observations recorded +0\n/);
    expect(output).toContain('hannah88@powers.com');
  });

  it('returns an error for an unknown account', async () => {
    const { code, said: text } = await run('--limit', '1', '--account', 'nobody@acme.com');
    expect(code).toBe(1);
    expect(text).toContain('nobody@acme.com: No entity in this workspace matches that identifier.');
  });
});
