/** Parts that a context can include. */
export const CONTEXT_PARTS = ['claims', 'timeline', 'notes', 'company', 'workspace'] as const;

/** One of {@link CONTEXT_PARTS}. */
export type ContextPart = (typeof CONTEXT_PARTS)[number];
