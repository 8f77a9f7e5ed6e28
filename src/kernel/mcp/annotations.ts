import type { ToolAnnotations } from '#sdk/tool.js';

/** Reads data that the hub has derived itself. */
export const READS: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Reads data that includes text written by third parties. */
export const READS_QUOTES: ToolAnnotations = { ...READS, openWorldHint: true };

/** Adds data. Without an idempotency key, repeating it adds the data twice. */
export const APPENDS: ToolAnnotations = { ...READS, readOnlyHint: false, idempotentHint: false };

/** Sets data; repeating it has no further effect. The previous value is kept as history. */
export const SETS: ToolAnnotations = { ...READS, readOnlyHint: false };
