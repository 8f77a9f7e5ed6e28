import { request } from 'undici';

/** An OpenAI-compatible endpoint for embeddings, as the operator has named it. */
export interface EmbedderSettings {
  /** Base address (`https://host/v1`) or that of the endpoint itself (`…/embeddings`). */
  readonly url: string;
  readonly model: string;
  readonly apiKey: string | undefined;
  /** Length of the vectors, for models that can be asked for one. */
  readonly dims: number | undefined;
}

/** The endpoint gave no vectors that can be used. */
export class EmbedderFailed extends Error {
  override readonly name = 'EmbedderFailed';
}

interface Answer {
  readonly data?: readonly { readonly index?: number; readonly embedding?: unknown }[];
}

const MAX_DIMS = 16_000;

/** Turns texts into vectors, by the endpoint that the operator has set. */
export class Embedder {
  /** Stands beside every vector: vectors of different models cannot be compared. */
  readonly id: string;
  private readonly endpoint: string;

  constructor(private readonly settings: EmbedderSettings) {
    const { url, model, dims } = settings;
    this.id = dims === undefined ? model : `${model}/${dims}`;
    this.endpoint = url.endsWith('/embeddings') ? url : `${url.replace(/\/+$/, '')}/embeddings`;
  }

  /** One vector per text, in their order. @throws EmbedderFailed, also when no answer came in `timeoutMs`. */
  async embed(texts: readonly string[], timeoutMs: number): Promise<number[][]> {
    const { model, apiKey, dims } = this.settings;
    try {
      const { statusCode, body } = await request(this.endpoint, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(apiKey && { authorization: `Bearer ${apiKey}` }) },
        body: JSON.stringify({ model, input: texts, encoding_format: 'float', ...(dims && { dimensions: dims }) }),
        signal: AbortSignal.timeout(timeoutMs),
      });
      if (statusCode === 200) return vectorsIn((await body.json()) as Answer, texts.length);
      await body.dump();
      throw new EmbedderFailed(`the embedder answered ${statusCode}`);
    } catch (error) {
      if (error instanceof EmbedderFailed) throw error;
      throw new EmbedderFailed('the embedder cannot be reached', { cause: error });
    }
  }
}

function vectorsIn({ data }: Answer, count: number): number[][] {
  const rows = (data ?? []).toSorted((one, other) => (one.index ?? 0) - (other.index ?? 0));
  const vectors = rows.flatMap(({ embedding }) => (isVector(embedding) ? [embedding] : []));
  const alike = vectors.every(vector => vector.length === vectors[0]!.length);
  if (vectors.length !== count || !alike)
    throw new EmbedderFailed('the embedder answered with other vectors than asked for');
  return vectors;
}

function isVector(value: unknown): value is number[] {
  return Array.isArray(value) && value.length > 0 && value.length <= MAX_DIMS && value.every(x => Number.isFinite(x));
}
