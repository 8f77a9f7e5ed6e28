/** An OpenAI-compatible endpoint for chat completions, configured by the operator. */
export interface LlmOptions {
  /** Base address (`https://host/v1`) or address of the endpoint itself (`…/chat/completions`). */
  readonly url: string;
  readonly model: string;
  readonly apiKey: string | undefined;
}
