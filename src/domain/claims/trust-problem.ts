/** What is wrong with a row of a trust table, or with a half-life beside it. */
export interface TrustProblem {
  readonly field: string;
  readonly message: string;
}
