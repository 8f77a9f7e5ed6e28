import type { EgressAccess } from '#kernel/egress/egress-access.js';
import type { EgressClient } from '#kernel/egress/egress.client.js';
import type { LlmOptions } from './llm.options.js';

/** The endpoint gave no answer that can be used. The message says why in a sentence that callers may see. */
export class LlmError extends Error {
  override readonly name = 'LlmFailed';
}

/** What a model is asked. */
export interface LlmRequest {
  /** What it shall do. */
  readonly system: string;
  /** What it shall do it with. */
  readonly user: string;
  /** JSON Schema that the answer must have, with a name of letters, digits and `_`. Default: plain text. */
  readonly schema?: { readonly name: string; readonly schema: object };
  /** Most tokens of the answer. Default: the endpoint's own. */
  readonly maxTokens?: number;
  /** For the whole call. Default 8 000. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

const DEFAULT_TIMEOUT_MS = 8_000;
const MAX_RESPONSE_BYTES = 1_000_000;
const FENCE = '```';

interface Completion {
  readonly choices?: readonly { readonly message?: { readonly content?: unknown } }[];
}

/** Returns the access of a client for the endpoint: its origin and nothing else. */
export function llmAccess(settings: LlmOptions | undefined): EgressAccess {
  return { publicAddresses: false, trustedUrls: settings ? [settings.url] : [] };
}

/**
 * Asks the language model that the operator has set, at temperature 0. Never to be awaited while a transaction is
 * open: a model takes seconds, and a transaction holds locks.
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

  /** Whether a model is set at all; without one every question fails. */
  get isConfigured(): boolean {
    return this.options !== undefined;
  }

  /** The name of the model; undefined when none is set. */
  get model(): string | undefined {
    return this.options?.model;
  }

  /** The answer as text. @throws LlmFailed */
  async completeText(request: LlmRequest): Promise<string> {
    if (!this.options || !this.endpoint) throw new LlmError('No language model is set.');
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
    if (response.status !== 200) throw new LlmError(`The language model answered with status ${response.status}.`);
    const content = (parseJson(response.body.toString()) as Completion | null)?.choices?.[0]?.message?.content;
    if (typeof content === 'string' && content !== '') return content;
    throw new LlmError('The language model gave no answer.');
  }

  /** The answer as JSON, not checked against the schema: models differ in how far they keep to one. @throws LlmFailed */
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

/** Some models wrap JSON in a block of Markdown. */
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
    throw new LlmError('The language model answered with something that is no JSON.', { cause });
  }
}
