/** What context can be put together from. */
export const PARTS = ['claims', 'timeline', 'notes', 'company', 'workspace'] as const;

/** One of {@link PARTS}. */
export type Part = (typeof PARTS)[number];
