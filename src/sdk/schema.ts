/**
 * A JSON Schema document, draft 2020-12.
 * @example const settings: JsonSchema = { type: 'object', properties: { api_url: { type: 'string' } } };
 */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * A zod 4 object, described by its shape so that this package needs no zod at run time and a plugin may bring
 * its own. `_zod.output` is how zod itself carries the parsed type.
 * @example const input: ZodLike<{ focus: string }> = z.object({ focus: z.string() });
 */
export interface ZodLike<Output = unknown> {
  readonly _zod: { readonly output: Output };
}

/**
 * What a tool may declare as input or output: a zod object, or a raw JSON Schema of an object.
 * @example const input: ToolSchema = z.object({ focus: z.string() });
 */
export type ToolSchema = ZodLike | JsonSchema;

/**
 * The value a handler receives for a schema: the parsed type of a zod object, else an open record.
 * @example type Input = ToolInput<typeof inputSchema>;
 */
export type ToolInput<S extends ToolSchema> = S extends ZodLike<infer Output> ? Output : Record<string, unknown>;
