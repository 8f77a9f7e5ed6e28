/** An OpenAI-compatible endpoint for chat completions, as the operator has named it. */
export interface LlmOptions {
  /** Base address (`https://host/v1`) or that of the endpoint itself (`…/chat/completions`). */
  readonly url: string;
  readonly model: string;
  readonly apiKey: string | undefined;
}
