/** A JSON Schema document, draft 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * A zod 4 object, described by its shape so that this package needs no zod at run time and a plugin may bring
 * its own. `_zod.output` is how zod itself carries the parsed type.
 */
export interface ZodLike<Output = unknown> {
  readonly _zod: { readonly output: Output };
}

/** What a tool may declare as input or output: a zod object, or a raw JSON Schema of an object. */
export type ToolSchema = ZodLike | JsonSchema;

/** The value a handler receives for a schema: the parsed type of a zod object, else an open record. */
export type ToolInput<S extends ToolSchema> = S extends ZodLike<infer Output> ? Output : Record<string, unknown>;
