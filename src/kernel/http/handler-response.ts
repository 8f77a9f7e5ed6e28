/** Result of a write: body, status, and whether it replays an earlier response to the same Idempotency-Key. */
export class HandlerResponse<Body> {
  constructor(
    readonly body: Body,
    readonly status: number,
    readonly isReplay = false,
  ) {}
}
