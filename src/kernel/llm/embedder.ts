import type { EgressAccess } from '#kernel/egress/egress-access.js';
import type { EgressClient } from '#kernel/egress/egress.client.js';

/** An OpenAI-compatible endpoint for embeddings, as the operator has named it. */
export interface EmbedderOptions {
  /** Base address (`https://host/v1`) or that of the endpoint itself (`…/embeddings`). */
  readonly url: string;
  readonly model: string;
  readonly apiKey: string | undefined;
  /** Length of the vectors, for models that can be asked for one. */
  readonly dimensions: number | undefined;
}

/** The endpoint gave no vectors that can be used. */
export class EmbedderError extends Error {
  override readonly name = 'EmbedderFailed';
}

interface EmbeddingsResponse {
  readonly data?: readonly { readonly index?: number; readonly embedding?: unknown }[];
}

const MAX_DIMENSIONS = 16_000;
/** Of an answer: 64 vectors of the most dimensions as text fit. */
const MAX_ANSWER_BYTES = 32_000_000;

/** How long it is believed that the endpoint gives vectors of the same length. */
const ID_TTL_MS = 60_000;

/** Vectors as they came. */
export interface EmbeddingResult {
  /**
   * Model and length, `m/1536`. Stands beside every vector: only vectors with the same one can be compared, and behind
   * the name of a model another one may come to answer.
   */
  readonly id: string;
  /** One per text, in their order, all of one length; none of zeroes only. */
  readonly vectors: readonly (readonly number[])[];
}

/** Returns the access of a client for the endpoint: its origin and nothing else. */
export function embedderAccess({ url }: EmbedderOptions): EgressAccess {
  return { publicAddresses: false, trustedUrls: [url] };
}

/** Turns texts into vectors, by the endpoint that the operator has set. */
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

  /** The id of the vectors that it gives, at most a minute old; else it is asked for one. @throws EmbedderFailed. */
  async getId(timeoutMs: number): Promise<string> {
    if (this.cachedId && performance.now() < this.cachedId.until) return this.cachedId.id;
    return (await this.embed(['length'], timeoutMs)).id;
  }

  /** One vector for each of one or more texts. @throws EmbedderFailed, also when no answer came in `timeoutMs`. */
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
        maxBytes: MAX_ANSWER_BYTES,
      });
      if (status === 200) return parseVectors(JSON.parse(body.toString()) as EmbeddingsResponse, texts.length);
      throw new EmbedderError(`the embedder answered ${status}`);
    } catch (error) {
      if (error instanceof EmbedderError) throw error;
      throw new EmbedderError('the embedder cannot be reached', { cause: error });
    }
  }
}

function parseVectors({ data }: EmbeddingsResponse, count: number): number[][] {
  const rows = (data ?? []).toSorted((one, other) => (one.index ?? 0) - (other.index ?? 0));
  const vectors = rows.flatMap(({ embedding }) => (isVector(embedding) ? [embedding] : []));
  const alike = vectors.every(vector => vector.length === vectors[0]!.length);
  if (vectors.length !== count || !alike)
    throw new EmbedderError('the embedder answered with other vectors than asked for');
  return vectors;
}

function isVector(value: unknown): value is number[] {
  if (!Array.isArray(value) || value.length > MAX_DIMENSIONS) return false;
  // They are kept in single precision, and a vector of zeroes has no direction.
  return (
    value.every(x => typeof x === 'number' && Number.isFinite(Math.fround(x))) && value.some(x => Math.fround(x) !== 0)
  );
}
