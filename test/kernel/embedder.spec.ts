import { readEnv } from '#kernel/config/env.js';
import { Embedder } from '#kernel/llm/embedder.js';
import { type FakeEmbedder, fakeEmbedder, vectorOf } from '../support/fake-embedder.js';

let fake: FakeEmbedder;
beforeAll(async () => {
  fake = await fakeEmbedder();
});
afterAll(() => fake.close());

const settings = (more: object = {}) => ({ url: fake.url, model: 'm', apiKey: undefined, dims: undefined, ...more });

describe('the embedder', () => {
  it('gives one vector per text, in their order, whatever order they come in', async () => {
    const texts = ['a cat', 'a dog', 'the moon'];
    expect(await new Embedder(settings()).embed(texts, 5000)).toEqual(texts.map(vectorOf));
    expect(await new Embedder(settings({ url: `${fake.url}/embeddings` })).embed(['a'], 5000)).toEqual([vectorOf('a')]);
  });

  it('is another one for another model or length of vectors', () => {
    const ids = [{}, { model: 'n' }, { dims: 256 }].map(more => new Embedder(settings(more)).id);
    expect(ids).toEqual(['m', 'n', 'm/256']);
  });

  it('fails as one kind of error, whatever went wrong', async () => {
    fake.down = true;
    await expect(new Embedder(settings()).embed(['a'], 5000)).rejects.toMatchObject({ name: 'EmbedderFailed' });
    fake.down = false;
    const nowhere = new Embedder(settings({ url: 'http://127.0.0.1:9/v1' }));
    await expect(nowhere.embed(['a'], 5000)).rejects.toMatchObject({ name: 'EmbedderFailed' });
  });

  it('needs an address and a model', () => {
    expect(readEnv({}).embeddings).toBeUndefined();
    expect(() => readEnv({ EMBEDDINGS_URL: fake.url })).toThrow('EMBEDDINGS_MODEL');
    expect(readEnv({ EMBEDDINGS_URL: fake.url, EMBEDDINGS_MODEL: 'm', EMBEDDINGS_DIMS: '256' }).embeddings).toEqual({
      ...settings({ dims: 256 }),
    });
  });
});
