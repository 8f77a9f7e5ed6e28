import type { EgressAccess } from '../egress/egress-rules.js';
import type { EgressClient } from '#kernel/egress/egress.client.js';

/** An OpenAI-compatible endpoint for chat completions, configured by the operator. */
export interface LlmOptions {
  /** Base address (`https://host/v1`) or address of the endpoint itself (`…/chat/completions`). */
  readonly url: string;
  readonly model: string;
  readonly apiKey: string | undefined;
}

/** Thrown if the endpoint returned no usable completion. Its message is a sentence that callers may read. */
export class LlmError extends Error {
  override readonly name = 'LlmFailed';
}

/** A prompt for a language model. */
export interface LlmRequest {
  /** Instructions (system message). */
  readonly system: string;
  /** Input (user message). */
  readonly user: string;
  /** JSON Schema of the completion, with a name of letters, digits and `_`. Default: plain text. */
  readonly schema?: { readonly name: string; readonly schema: object };
  /** Maximum number of tokens of the completion. Default: that of the endpoint. */
  readonly maxTokens?: number;
  /** Time limit of the call in milliseconds. Default 8 000. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

const DEFAULT_TIMEOUT_MS = 8_000;
const MAX_RESPONSE_BYTES = 1_000_000;
const FENCE = '```';

interface Completion {
  readonly choices?: readonly { readonly message?: { readonly content?: unknown } }[];
}

/** Returns the egress access for the endpoint: only its origin. */
export function llmAccess(settings: LlmOptions | undefined): EgressAccess {
  return { publicAddresses: false, trustedUrls: settings ? [settings.url] : [] };
}

/**
 * Calls the language model that the operator has configured, at temperature 0. Never await it inside a transaction: a
 * model takes seconds, and a transaction holds locks.
 */
export class LlmClient {
  private readonly endpoint: string | undefined;

  /** @param egress a client with the access of {@link llmAccess} */
  constructor(
    private readonly egress: EgressClient,
    private readonly options: LlmOptions | undefined,
  ) {
    const base = options?.url.replace(/(?<!\/)\/+$/, '');
    this.endpoint = base?.endsWith('/chat/completions') ? base : base && `${base}/chat/completions`;
  }

  /** Returns whether a model is configured; without one every call fails. */
  get isConfigured(): boolean {
    return this.options !== undefined;
  }

  /** Returns the name of the model; undefined if none is configured. */
  get model(): string | undefined {
    return this.options?.model;
  }

  /**
   * Returns the completion as text.
   * @throws LlmError if no model is configured or it returns no usable completion.
   */
  async completeText(request: LlmRequest): Promise<string> {
    if (!this.options || !this.endpoint) throw new LlmError('No language model is configured.');
    const { apiKey } = this.options;
    const response = await this.egress
      .send({
        method: 'POST',
        url: this.endpoint,
        headers: { 'content-type': 'application/json', ...(apiKey && { authorization: `Bearer ${apiKey}` }) },
        body: JSON.stringify(buildBody(this.options.model, request)),
        timeoutMs: Math.max(1, Math.floor(request.timeoutMs ?? DEFAULT_TIMEOUT_MS)),
        maxBytes: MAX_RESPONSE_BYTES,
        ...(request.signal && { signal: request.signal }),
      })
      .catch(cause => {
        throw new LlmError('The language model cannot be reached.', { cause });
      });
    if (response.status !== 200) throw new LlmError(`The language model responded with status ${response.status}.`);
    const content = (parseJson(response.body.toString()) as Completion | null)?.choices?.[0]?.message?.content;
    if (typeof content === 'string' && content !== '') return content;
    throw new LlmError('The language model returned no text.');
  }

  /**
   * Returns the completion as JSON, not validated against the schema: models differ in how strictly they follow it.
   * @throws LlmError if no model is configured or it returns no usable JSON.
   */
  async completeJson(request: LlmRequest & Required<Pick<LlmRequest, 'schema'>>): Promise<unknown> {
    return parseJson(stripCodeFence(await this.completeText(request)));
  }
}

function buildBody(model: string, { system, user, schema, maxTokens }: LlmRequest): object {
  return {
    model,
    temperature: 0,
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: user },
    ],
    ...(maxTokens !== undefined && { max_tokens: maxTokens }),
    ...(schema && { response_format: { type: 'json_schema', json_schema: { ...schema, strict: true } } }),
  };
}

/** Removes the Markdown code fence that some models put around JSON. */
function stripCodeFence(text: string): string {
  const trimmed = text.trim();
  const isFenced = trimmed.length >= 2 * FENCE.length && trimmed.startsWith(FENCE) && trimmed.endsWith(FENCE);
  if (!isFenced) return text;
  return trimmed.slice(FENCE.length, -FENCE.length).replace(/^json/, '').trim();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new LlmError('The language model returned invalid JSON.', { cause });
  }
}
