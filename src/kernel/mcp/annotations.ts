import type { ToolAnnotations } from '#sdk/tool.js';

/** Reads what the hub itself has worked out. */
export const READS: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Reads, and the answer quotes what other people wrote. */
export const READS_QUOTES: ToolAnnotations = { ...READS, openWorldHint: true };

/** Adds to what is there. Sent twice without a key of its own, it adds twice. */
export const APPENDS: ToolAnnotations = { ...READS, readOnlyHint: false, idempotentHint: false };

/** Sets something, so that sending it twice is the same as sending it once. What stood before is kept as history. */
export const SETS: ToolAnnotations = { ...READS, readOnlyHint: false };
