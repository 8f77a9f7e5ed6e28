/** A problem of a trust row or of a half-life. */
export interface TrustProblem {
  readonly field: string;
  readonly message: string;
}
