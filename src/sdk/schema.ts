/**
 * A JSON Schema document, draft 2020-12.
 * @example const settings: JsonSchema = { type: 'object', properties: { api_url: { type: 'string' } } };
 */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * A zod 4 object, declared structurally so that this package does not depend on zod and a plugin may bring its own.
 * Zod carries the parsed type in `_zod.output`.
 * @example const input: ZodLike<{ focus: string }> = z.object({ focus: z.string() });
 */
export interface ZodLike<Output = unknown> {
  readonly _zod: { readonly output: Output };
}

/**
 * Input or output schema of a tool: a zod object, or a JSON Schema of an object.
 * @example const input: ToolSchema = z.object({ focus: z.string() });
 */
export type ToolSchema = ZodLike | JsonSchema;

/**
 * Type of the value that a handler receives for a schema: the parsed type of a zod object, otherwise an open record.
 * @example type Input = ToolInput<typeof inputSchema>;
 */
export type ToolInput<S extends ToolSchema> = S extends ZodLike<infer Output> ? Output : Record<string, unknown>;
