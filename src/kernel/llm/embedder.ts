import type { EgressAccess } from '../egress/egress-rules.js';
import type { EgressClient } from '#kernel/egress/egress.client.js';

/** An OpenAI-compatible endpoint for embeddings, configured by the operator. */
export interface EmbedderOptions {
  /** Base address (`https://host/v1`) or address of the endpoint itself (`…/embeddings`). */
  readonly url: string;
  readonly model: string;
  readonly apiKey: string | undefined;
  /** Requested length of the vectors, for models that support it. */
  readonly dimensions: number | undefined;
}

/** Thrown if the endpoint returned no usable vectors. */
export class EmbedderError extends Error {
  override readonly name = 'EmbedderFailed';
}

interface EmbeddingsResponse {
  readonly data?: readonly { readonly index?: number; readonly embedding?: unknown }[];
}

const MAX_DIMENSIONS = 16_000;
/** Maximum size of a response: enough for 64 vectors of the maximum length as text. */
const MAX_RESPONSE_BYTES = 32_000_000;

/** How long the ID of the vectors is cached, in milliseconds. */
const ID_TTL_MS = 60_000;

/** Vectors of the endpoint. */
export interface EmbeddingResult {
  /**
   * Model and length, such as `m/1536`. Stored with every vector: only vectors with the same ID are comparable, and a
   * provider may change the model behind a name.
   */
  readonly id: string;
  /** One vector per text, in the same order and of the same length; none consists of zeros only. */
  readonly vectors: readonly (readonly number[])[];
}

/** Returns the egress access for the endpoint: only its origin. */
export function embedderAccess({ url }: EmbedderOptions): EgressAccess {
  return { publicAddresses: false, trustedUrls: [url] };
}

/** Converts texts to vectors with the endpoint that the operator has configured. */
export class Embedder {
  private readonly endpoint: string;
  private cachedId: { readonly id: string; readonly until: number } | undefined;

  /** @param egress a client with the access of {@link embedderAccess} */
  constructor(
    private readonly egress: EgressClient,
    private readonly options: EmbedderOptions,
  ) {
    const { url } = options;
    this.endpoint = url.endsWith('/embeddings') ? url : `${url.replace(/(?<!\/)\/+$/, '')}/embeddings`;
  }

  /**
   * Returns the ID of the current vectors, cached for a minute; embeds a text to determine it otherwise.
   * @param timeoutMs time limit in milliseconds.
   * @throws EmbedderError if the endpoint fails.
   */
  async getId(timeoutMs: number): Promise<string> {
    if (this.cachedId && performance.now() < this.cachedId.until) return this.cachedId.id;
    return (await this.embed(['length'], timeoutMs)).id;
  }

  /**
   * Embeds one or more texts.
   * @param timeoutMs time limit in milliseconds.
   * @throws EmbedderError if the endpoint fails or exceeds the time limit.
   */
  async embed(texts: readonly string[], timeoutMs: number): Promise<EmbeddingResult> {
    const vectors = await this.requestVectors(texts, timeoutMs);
    const id = `${this.options.model}/${vectors[0]!.length}`;
    this.cachedId = { id, until: performance.now() + ID_TTL_MS };
    return { id, vectors };
  }

  private async requestVectors(texts: readonly string[], timeoutMs: number): Promise<number[][]> {
    const { model, apiKey, dimensions } = this.options;
    try {
      const { status, body } = await this.egress.send({
        method: 'POST',
        url: this.endpoint,
        headers: { 'content-type': 'application/json', ...(apiKey && { authorization: `Bearer ${apiKey}` }) },
        body: JSON.stringify({ model, input: texts, encoding_format: 'float', ...(dimensions && { dimensions }) }),
        timeoutMs,
        maxBytes: MAX_RESPONSE_BYTES,
      });
      if (status === 200) return parseVectors(JSON.parse(body.toString()) as EmbeddingsResponse, texts.length);
      throw new EmbedderError(`the embedder responded with status ${status}`);
    } catch (error) {
      if (error instanceof EmbedderError) throw error;
      throw new EmbedderError('the embedder cannot be reached', { cause: error });
    }
  }
}

function parseVectors({ data }: EmbeddingsResponse, count: number): number[][] {
  const rows = (data ?? []).toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0));
  const vectors = rows.flatMap(({ embedding }) => (isVector(embedding) ? [embedding] : []));
  const haveSameLength = vectors.every(vector => vector.length === vectors[0]!.length);
  if (vectors.length !== count || !haveSameLength)
    throw new EmbedderError('the embedder returned an unexpected number or length of vectors');
  return vectors;
}

function isVector(value: unknown): value is number[] {
  if (!Array.isArray(value) || value.length > MAX_DIMENSIONS) return false;
  // Vectors are stored in single precision, and a zero vector has no direction.
  return (
    value.every(x => typeof x === 'number' && Number.isFinite(Math.fround(x))) && value.some(x => Math.fround(x) !== 0)
  );
}
