/** Thrown if the destination may not be called. The message gives the reason and reveals nothing about the target. */
export class EgressRefusedError extends Error {
  override readonly name = 'EgressRefused';
}

/** Reason why there is no usable response. */
export type EgressFault = 'unreachable' | 'timeout' | 'too_large' | 'aborted';

/** Thrown if an allowed request got no usable response. */
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
