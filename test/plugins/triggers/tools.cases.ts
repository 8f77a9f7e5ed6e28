import { OPERATOR } from '#domain/actor/actor.js';
import { issueKey } from '#kernel/auth/api-keys.service.js';
import { AGENTS, type Agent } from '../../fixtures/mcp/agents.js';
import { type Client, clientOf, type TestHub } from '../../support/hub.js';
import { until } from '../../support/until.js';

/** Where the cases take place; filled in before they run. */
export interface Place {
  readonly hub: TestHub;
  /** The address of a receiver. */
  url(path: string): string;
  /** What came to it, oldest first. */
  bodiesAt<Body>(path: string): Body[];
}

interface Made {
  readonly trigger: { readonly id: string; readonly secret: string };
}

/** The tools for triggers, beside the endpoints that they share a service with. */
export function toolCases(place: () => Place): void {
  let own: Client;
  let key: string;
  beforeAll(async () => {
    const { hub } = place();
    own = await hub.workspace('starter');
    const input = {
      name: 'Internal',
      scopes: ['read', 'write', 'settings', 'internal'],
      origin: 'admin',
      createdBy: OPERATOR,
    } as const;
    ({ key } = await hub.database.work.system(tx => issueKey(tx, own.workspaceId, input)));
  });

  describe.each(AGENTS)('%s', (name, connect) => {
    let agent: Agent;
    beforeAll(async () => {
      agent = await connect(new URL('/mcp', place().hub.url), key);
    });
    afterAll(() => agent?.close());

    it('sets a trigger once per key, and lists it without its secret', async () => {
      const request = { url: place().url(`/tool-${name.length}`), events: ['reply.received'], name: 'Tool' };
      const once = { meta: { 'rapport/idempotencyKey': name.replaceAll(' ', '-') } };
      const first = await agent.call('set_trigger', request, once);
      expect(first).toMatchObject({ structuredContent: { ok: true, trigger: { ...request, state: 'active' } } });
      expect((await agent.call('set_trigger', request, once)).structuredContent).toEqual(first.structuredContent);
      const { trigger } = first.structuredContent as Made;
      expect(trigger.secret).toMatch(/^whsec_/);

      const listed = await agent.call('list_triggers', { detail: 'full' });
      expect(listed.structuredContent).toMatchObject({ triggers: [{ id: trigger.id }] });
      expect(listed.structuredContent).toEqual(
        (await clientOf(place().hub.url, key).get('/v2/workspace/triggers')).body,
      );
      expect(listed.text).not.toContain(trigger.secret);
      const brief = (await agent.call('list_triggers')).structuredContent as { triggers: object[] };
      expect(brief.triggers).toMatchObject([{ id: trigger.id, ...request, state: 'active' }]);
      expect(brief.triggers[0]).not.toHaveProperty('created_at');
      expect(await agent.call('list_triggers', { page: 1 })).toMatchObject({ isError: true });
      await own.delete(`/v2/plugins/triggers/triggers/${trigger.id}`);
      expect((await agent.call('list_triggers')).structuredContent).toMatchObject({ triggers: [] });
    });

    it('changes the events of a trigger, as over REST', async () => {
      const path = `/told-${name.length}`;
      const { structuredContent } = await agent.call('set_trigger', {
        url: place().url(path),
        event: 'reply.received',
      });
      const observation = (entryPoint: string) => ({
        kind: 'event',
        property: 'interaction.email_replied',
        value: { entryPoint },
      });
      const focus = `${name.length}@entry.example`;
      await agent.call('record', { focus, observations: [observation('mcp')] });
      await own.post('/v2/observations', { focus, observations: [observation('rest')] });
      const entryPoints = () => place().bodiesAt<{ data: { observation: { value: { entryPoint: string } } } }>(path);
      await until('both are told', () => entryPoints().length >= 2);
      expect(entryPoints().map(({ data }) => data.observation.value.entryPoint)).toEqual(['mcp', 'rest']);
      await own.delete(`/v2/plugins/triggers/triggers/${(structuredContent as unknown as Made).trigger.id}`);
    });

    it.each([
      ['an event that nobody sends', { events: ['no.such'] }, 'unknown_event:no.such'],
      ['an address inside the network', { url: 'http://10.0.0.1/', event: 'reply.received' }, 'invalid_url'],
      ['no event', {}, 'url_and_events_required'],
      ['a filter of another shape', { event: 'reply.received', filter: { nobody: 1 } }, 'invalid_request'],
    ])('is told in words of %s, as over REST', async (_, wrong, code) => {
      const given = { url: place().url('/tool'), ...wrong };
      const answer = await agent.call('set_trigger', given);
      expect(answer).toMatchObject({ isError: true, text: expect.stringContaining(code) });
      expect(await own.post('/v2/workspace/triggers', given)).toMatchObject({
        status: 400,
        body: { error: code, request_id: expect.any(String) },
      });
      const preview = await agent.call('set_trigger', { ...given, dry_run: true });
      expect(preview).toEqual(answer);
    });

    it('sets nothing in a dry run', async () => {
      const endpoint = { url: place().url('/tool'), event: 'meeting.scheduled', dry_run: true };
      const { dry_run: _, event, ...message } = endpoint;
      const trigger = { ...message, events: [event], format: 'standard', active: true };
      const { structuredContent, text } = await agent.call('set_trigger', endpoint);
      expect(structuredContent).toMatchObject({ ok: true, dry_run: true, trigger });
      expect(text).not.toMatch(/"(id|secret)"/);
      expect((await agent.call('list_triggers')).structuredContent).toMatchObject({ triggers: [] });
    });
  });
}
