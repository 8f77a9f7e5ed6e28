import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HubClient, HubTrouble, pauseOf } from '../../demo/client.mjs';
import { BadUsage, optionsOf } from '../../demo/options.mjs';

describe('the client of the demo', () => {
  it.each([429, 503])('comes again after %i, when the hub says so', async status => {
    let calls = 0;
    const server = createServer((_, response) => {
      response.writeHead(++calls < 3 ? status : 200, { 'retry-after': '0.01' }).end('{"recorded":1}');
    });
    await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const answer = await new HubClient({ baseUrl, apiKey: 'key' }).record('ada@acme.com', []);
    server.close();
    expect(answer).toEqual({ status: 200, body: { recorded: 1 }, waits: 2 });
  });

  it('says which hub it cannot reach', async () => {
    const client = new HubClient({ baseUrl: 'http://127.0.0.1:1', apiKey: 'key' });
    await expect(client.record('ada@acme.com', [])).rejects.toThrow(HubTrouble);
    await expect(client.record('ada@acme.com', [])).rejects.toThrow('http://127.0.0.1:1');
  });

  it.each([
    ['2', 2],
    [null, 1],
    ['soon', 1],
    ['3600', 30],
  ])('takes Retry-After "%s" for %i seconds', (header, seconds) => {
    expect(pauseOf(header)).toBe(seconds);
  });
});

describe('the options of the demo', () => {
  const hub = { RAPPORT_BASE_URL: 'http://localhost:3000', RAPPORT_API_KEY: 'key' };

  it('takes the hub that the environment names, or none', () => {
    expect(optionsOf([], hub)).toMatchObject({
      access: { baseUrl: 'http://localhost:3000', apiKey: 'key' },
      limit: Infinity,
    });
    expect(optionsOf(['--limit', '5', '--account', 'Ada Lovelace'], {})).toEqual({
      help: false,
      limit: 5,
      account: 'Ada Lovelace',
      access: undefined,
    });
  });

  it.each([
    [['--limit', '0'], {}],
    [['--limit', 'many'], {}],
    [['--colour'], {}],
    [[], { RAPPORT_API_KEY: 'key' }],
    [[], { ...hub, RAPPORT_BASE_URL: 'nowhere' }],
  ])('refuses %j with %j', (words, environment) => {
    expect(() => optionsOf(words, environment)).toThrow(BadUsage);
  });
});
