/** The answer of a write: what it says, and whether it was said before under the same Idempotency-Key. */
export class HandlerResponse<Body> {
  constructor(
    readonly body: Body,
    readonly status: number,
    readonly isReplay = false,
  ) {}
}
