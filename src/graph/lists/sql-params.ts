/** The values of a statement that is put together: every one is a parameter, so none can be read as SQL. */
export class SqlParams {
  readonly values: unknown[] = [];

  /** Keeps a value and gives the place that stands for it, with its type. */
  add(value: unknown, type: string): string {
    this.values.push(value);
    return `$${this.values.length}::${type}`;
  }
}
