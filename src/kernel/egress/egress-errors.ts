/** The address may not be reached from here. The message says why, and nothing about what is behind it. */
export class EgressRefusedError extends Error {
  override readonly name = 'EgressRefused';
}

/** Why there is no answer. */
export type EgressFault = 'unreachable' | 'timeout' | 'too_large' | 'aborted';

/** A request that was allowed got no answer that can be used. */
export class EgressFailedError extends Error {
  override readonly name = 'EgressFailed';

  constructor(
    readonly fault: EgressFault,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
