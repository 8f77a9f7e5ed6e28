import { InvalidConfigError } from '#kernel/config/config-errors.js';
import { readEnv } from '#kernel/config/env.js';
import { EgressClient } from '#kernel/egress/egress.client.js';
import { llmAccess, LlmClient, LlmError } from '#kernel/llm/llm.client.js';
import { type FakeLlm, startFakeLlm } from '../../fakes/fake-llm.js';

const question = { system: 'Say it.', user: 'It.', schema: { name: 'it', schema: { type: 'object' } } };

let llm: FakeLlm;
let egress: EgressClient;
let client: LlmClient;

beforeAll(async () => {
  llm = await startFakeLlm();
  const settings = { url: `${llm.url}/v1`, model: 'small', apiKey: 'secret' };
  egress = new EgressClient(llmAccess(settings));
  client = new LlmClient(egress, settings);
});
afterAll(async () => {
  await egress?.close();
  await llm?.close();
});

it('asks at temperature 0, with the key and the schema', async () => {
  llm.answer = () => ({ it: 1 });
  expect(await client.completeJson(question)).toEqual({ it: 1 });
  expect(llm.asked()[0]).toMatchObject({
    model: 'small',
    temperature: 0,
    response_format: { type: 'json_schema', json_schema: { name: 'it', strict: true } },
  });
  expect(llm.seen[0]).toMatchObject({ url: '/v1/chat/completions', headers: { authorization: 'Bearer secret' } });
});

it('returns plain text without a schema, and reads JSON in a fence', async () => {
  llm.answer = () => 'plain';
  expect(await client.completeText({ system: 'a', user: 'b' })).toBe('plain');
  expect(llm.asked().at(-1)).not.toHaveProperty('response_format');
  llm.answer = () => '```json\n{"it": 2}\n```';
  expect(await client.completeJson(question)).toEqual({ it: 2 });
});

it('fails with a sentence when there is no usable answer', async () => {
  llm.answer = () => 'no json';
  await expect(client.completeJson(question)).rejects.toThrow(LlmError);
  llm.answer = () => '';
  await expect(client.completeText(question)).rejects.toThrow('returned no text');
  llm.answer = 'down';
  await expect(client.completeText(question)).rejects.toThrow('status 503');
  llm.answer = 'silent';
  await expect(client.completeText({ ...question, timeoutMs: 50 })).rejects.toThrow('cannot be reached');
  await expect(new LlmClient(egress, undefined).completeText(question)).rejects.toThrow('No language model');
});

it('is set by an address and a model', () => {
  expect(readEnv({}).llm).toBeUndefined();
  expect(readEnv({ LLM_URL: 'http://x/v1', LLM_MODEL: 'm' }).llm).toEqual({ url: 'http://x/v1', model: 'm' });
  expect(() => readEnv({ LLM_URL: 'http://x/v1' })).toThrow(InvalidConfigError);
});
