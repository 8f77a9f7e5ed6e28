/** A statement with values that differ from call to call. */
export interface LimitStatement {
  readonly text: string;
  values(): unknown[];
}
