import { createServer, type Server } from 'node:http';
import { HostResolver } from '#kernel/egress/egress-rules.js';
import type { Receiver } from '../../fakes/receiver.js';
import type { FakeWeb } from '../../fakes/fake-web.js';
import type { Client, TestHub } from '../../support/hub.js';
import { spellingsOf } from './hostile-urls.js';

/** Where the cases take place; filled in before they run. */
export interface Place {
  readonly hub: TestHub;
  readonly receiver: Receiver;
  /** Nobody may come here. */
  readonly canary: FakeWeb;
  readonly client: Client;
}

interface Made {
  readonly trigger: { readonly id: string };
}

const TRIGGERS = '/v2/plugins/triggers/triggers';
/** Stands for a public address: the operator lets triggers call it, and no other address of this machine. */
export const ALLOWED = '127.0.0.2';

/** The addresses that triggers call, and those that they never call. */
export function addressCases(place: () => Place): void {
  const make = async (url: string) => place().client.post<Made>(TRIGGERS, { url, events: ['reply.received'] });
  const test = async ({ body }: { readonly body: Made }) =>
    (await place().client.post<{ delivered: boolean }>(`${TRIGGERS}/${body.trigger.id}/test`, {})).body;
  const remove = ({ body }: { readonly body: Made }) => place().client.delete(`${TRIGGERS}/${body.trigger.id}`);

  it('inside the network are never called, however they are written', async () => {
    const { canary } = place();
    const spellings = spellingsOf(canary.port);
    expect(new Set(spellings).size).toBeGreaterThanOrEqual(40);
    const judged: string[] = [];
    for (const url of spellings) {
      const made = await make(url);
      if (made.status === 201) {
        expect(await test(made)).toMatchObject({ delivered: false });
        await remove(made);
      } else {
        expect(made).toMatchObject({ status: 400, body: { error: 'invalid_url' } });
        judged.push(url);
      }
    }
    expect(canary.seen).toHaveLength(0);
    expect(judged.length).toBeGreaterThan(30);
  });

  it('inside the network are not called by way of a redirect', async () => {
    const { canary, receiver } = place();
    const redirecting = await make(receiver.url('/redirects'));
    for (const status of [301, 302, 303, 307, 308]) {
      const location = `http://127.0.0.1:${canary.port}/`;
      receiver.behave('/redirects', { kind: 'status', status, headers: { location } });
      expect(await test(redirecting)).toMatchObject({ delivered: false });
    }
    expect(receiver.at('/redirects')).toHaveLength(5);
    await remove(redirecting);
    expect(canary.seen).toHaveLength(0);
  });

  describe('of a name that changes its mind', () => {
    let server: Server;
    let taken = 0;
    let giveBack: (() => void) | undefined;
    const answers: string[][] = [];
    let requests = 0;

    beforeAll(async () => {
      const { hub, canary } = place();
      server = createServer((_, response) => response.writeHead(204, { connection: 'close' }).end(() => taken++));
      // The port of the canary, so that only the address tells them apart.
      await new Promise<void>(resolve => server.listen(canary.port, ALLOWED, resolve));
      const resolver = hub.app.get(HostResolver, { strict: false });
      const before = resolver.resolve;
      resolver.resolve = (_, found) => {
        requests++;
        found(
          null,
          (answers.shift() ?? []).map(address => ({ address, family: 4 })),
        );
      };
      giveBack = () => void (resolver.resolve = before);
    });
    afterAll(async () => {
      giveBack?.();
      await new Promise(resolve => server?.close(resolve));
    });

    it.each([
      ['public first, private then', [[ALLOWED], ['127.0.0.1']], [true, false]],
      ['private first, public then', [['127.0.0.1'], [ALLOWED]], [false, true]],
      [
        'both at once',
        [
          [ALLOWED, '127.0.0.1'],
          ['127.0.0.1', ALLOWED],
        ],
        [true, true],
      ],
      ['private of every kind', [['10.0.0.1'], ['169.254.169.254'], ['0.0.0.0']], [false, false, false]],
    ])('%s: the private one is not called, and nobody is asked twice', async (_, resolved, delivered) => {
      const { canary } = place();
      answers.splice(0, answers.length, [ALLOWED]);
      const rebinding = await make(`http://rebind.example:${canary.port}/hook`);
      expect(rebinding.status).toBe(201);
      [requests, taken] = [0, 0];
      answers.splice(0, answers.length, ...resolved.map(each => [...each]));
      const outcomes: boolean[] = [];
      for (let n = 0; n < resolved.length; n++) outcomes.push((await test(rebinding)).delivered);
      expect(outcomes).toEqual(delivered);
      expect({ asked: requests, taken, canary: canary.seen.length }).toEqual({
        asked: resolved.length,
        taken: delivered.filter(Boolean).length,
        canary: 0,
      });
      await remove(rebinding);
    });
  });
}
