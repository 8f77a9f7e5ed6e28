/** What a reply can be. A word that is none of these would pass for one, and nobody would notice who unsubscribed. */
export const REPLY_OUTCOMES: readonly string[] = ['interested', 'objection', 'wrong_fit', 'unsubscribe'];
