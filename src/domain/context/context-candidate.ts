/** Kinds of context items. */
export const CONTEXT_KINDS = ['claim', 'event', 'note', 'workspace_fact'] as const;

/** One of {@link CONTEXT_KINDS}. */
export type ContextKind = (typeof CONTEXT_KINDS)[number];

/** An item that may be included in a context. */
export interface ContextCandidate {
  readonly kind: ContextKind;
  /** Unique reference; also breaks ties. */
  readonly refId: string;
  /** Text of its label: `title | 0.91 fresh corroborated`. */
  readonly label: string;
  /** Content on one line. */
  readonly text: string;
  /** Words by which it is found besides its text. */
  readonly words?: string;
  /** Words and concepts, if already computed. */
  readonly tokens?: readonly string[];
  /** 0..1: probability that it still holds. */
  readonly freshness: number;
  /** 0..1. */
  readonly confidence: number;
  /** Whether it has ended or was replaced. */
  readonly past: boolean;
  /** Whether the intent asks for it. */
  readonly boosted: boolean;
  /** Why it should not be relied on as it is. */
  readonly caution?: string;
}

/** Numbers that explain a rank. */
export interface RankScore {
  /** Similarity to the task, 0..1. */
  readonly relevance: number;
  /** Overall score, 0..1, four decimals. */
  readonly score: number;
}
