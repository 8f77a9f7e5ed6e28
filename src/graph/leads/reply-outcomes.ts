/** The valid outcomes of a reply. Other words are rejected: a misspelled `unsubscribe` would go unnoticed. */
export const REPLY_OUTCOMES: readonly string[] = ['interested', 'objection', 'wrong_fit', 'unsubscribe'];
