/**
 * Any JSON value: the type of data exchanged between the hub and a plugin, and of stored values.
 * @example const cursor: Json = { after: '2026-11-20T09:00:00.000Z', page: 3 };
 */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/**
 * A JSON object.
 * @example const details: JsonObject = { title: 'Demo', minutes: 30 };
 */
export type JsonObject = { readonly [key: string]: Json };

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
