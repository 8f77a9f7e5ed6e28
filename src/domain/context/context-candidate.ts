/** What context is made of. */
export const CONTEXT_KINDS = ['claim', 'event', 'note', 'workspace_fact'] as const;

/** One of {@link CONTEXT_KINDS}. */
export type ContextKind = (typeof CONTEXT_KINDS)[number];

/** Something that may be told. */
export interface ContextCandidate {
  readonly kind: ContextKind;
  /** Names it among all others, and decides between equals. */
  readonly refId: string;
  /** What stands in its label: `title | 0.91 fresh corroborated`. */
  readonly label: string;
  /** What it says, on one line. */
  readonly text: string;
  /** What it is found by besides its text. */
  readonly words?: string;
  /** Its words and concepts, where they have been worked out already. */
  readonly tokens?: readonly string[];
  /** 0..1: how likely it is still so. */
  readonly freshness: number;
  /** 0..1. */
  readonly confidence: number;
  /** It has ended, or something else has taken its place. */
  readonly past: boolean;
  /** The intent asks for it. */
  readonly boosted: boolean;
  /** Why it should not be relied on as it stands. */
  readonly caution?: string;
}

/** Why something was told, as numbers. */
export interface RankScore {
  /** How near it comes to the task, 0..1. */
  readonly relevance: number;
  /** What it counts in all, 0..1, four decimals. */
  readonly score: number;
}
