/** A field of a request that the hub refused, with what to do about it. */
export interface FieldProblem {
  readonly field: string;
  readonly message: string;
}
