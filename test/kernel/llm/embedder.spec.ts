import { readEnv } from '#kernel/config/env.js';
import { EgressClient } from '#kernel/egress/egress.client.js';
import { Embedder, embedderAccess } from '#kernel/llm/embedder.js';
import { type FakeEmbedder, fakeEmbedder, vectorOf } from '../../fakes/fake-embedder.js';

let fake: FakeEmbedder;
beforeAll(async () => {
  fake = await fakeEmbedder();
});
afterAll(async () => {
  await Promise.all(clients.map(client => client.close()));
  await fake.close();
});

const clients: EgressClient[] = [];
const settings = (more: object = {}) => ({
  url: fake.url,
  model: 'm',
  apiKey: undefined,
  dimensions: undefined,
  ...more,
});
/** An embedder with a client of its own, as the hub makes them. */
function embedderWith(more: object = {}): Embedder {
  const client = new EgressClient(embedderAccess(settings(more)));
  clients.push(client);
  return new Embedder(client, settings(more));
}

describe('the embedder', () => {
  it('gives one vector per text, in their order, whatever order they come in', async () => {
    const texts = ['a cat', 'a dog', 'the moon'];
    expect(await embedderWith().embed(texts, 5000)).toEqual({ id: 'm/4', vectors: texts.map(vectorOf) });
    const whole = embedderWith({ url: `${fake.url}/embeddings` });
    expect((await whole.embed(['a'], 5000)).vectors).toEqual([vectorOf('a')]);
  });

  it('is another one for another model or length of vectors, and asks for its own only where it is not known', async () => {
    const one = embedderWith();
    expect(await one.getId(5000)).toBe('m/4');
    const before = fake.seen.length;
    expect(await one.getId(5000)).toBe('m/4');
    expect(fake.seen).toHaveLength(before);
    expect(await embedderWith({ model: 'n' }).getId(5000)).toBe('n/4');
    expect(fake.asked.at(-1)).toEqual({ model: 'n', authorization: undefined });
  });

  it.each([
    { what: 'zeroes only', vector: [0, 0, 0, 0] },
    { what: 'more than single precision holds', vector: [1e300, 1, 1, 1] },
    { what: 'no numbers', vector: ['1'] as unknown as number[] },
    { what: 'nothing', vector: [] },
  ])('takes no vector of $what', async ({ vector }) => {
    const odd = await fakeEmbedder(() => vector);
    const response = embedderWith({ url: odd.url }).embed(['a'], 5000);
    await expect(response).rejects.toMatchObject({ name: 'EmbedderFailed' });
    await odd.close();
  });

  it('fails as one kind of error, whatever went wrong', async () => {
    fake.down = true;
    await expect(embedderWith().embed(['a'], 5000)).rejects.toMatchObject({ name: 'EmbedderFailed' });
    fake.down = false;
    const nowhere = embedderWith({ url: 'http://127.0.0.1:9/v1' });
    await expect(nowhere.embed(['a'], 5000)).rejects.toMatchObject({ name: 'EmbedderFailed' });
  });

  it('needs an address and a model', () => {
    expect(readEnv({}).embeddings).toBeUndefined();
    expect(() => readEnv({ EMBEDDINGS_URL: fake.url })).toThrow('EMBEDDINGS_MODEL');
    expect(
      readEnv({ EMBEDDINGS_URL: fake.url, EMBEDDINGS_MODEL: 'm', EMBEDDINGS_DIMENSIONS: '256' }).embeddings,
    ).toEqual({
      ...settings({ dimensions: 256 }),
    });
  });
});
