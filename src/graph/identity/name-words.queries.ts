import { listIndexedWords } from '#domain/identity/name-words.js';
import { prepare } from '#kernel/db/prepared-query.js';
import type { Tx } from '#kernel/db/transaction.js';

/** An entity and its name; null if the name has ended. */
export interface NamedId {
  readonly id: string;
  readonly name: string | null;
}

const DELETE_WORDS = prepare(
  `DELETE FROM name_words w
   WHERE w.workspace_id = $1 AND w.entity_id = ANY ($2::uuid[]) AND NOT EXISTS (
     SELECT FROM unnest($2::uuid[], $3::text[]) AS named (entity_id, words)
     WHERE named.entity_id = w.entity_id AND w.word = ANY (string_to_array(named.words, ' ')))`,
);

const INSERT_WORDS = prepare(
  `INSERT INTO name_words (workspace_id, word, entity_id)
   SELECT $1, word, entity_id
   FROM unnest($2::uuid[], $3::text[]) AS named (entity_id, words), unnest(string_to_array(words, ' ')) AS word
   ON CONFLICT (workspace_id, word, entity_id) DO NOTHING`,
);

/** Replaces the words under which entities are found by name. Sent with COMMIT. */
export function writeNameWords(tx: Tx, names: readonly NamedId[]): void {
  if (names.length === 0) return;
  const words = names.map(({ name }) => (name === null ? '' : listIndexedWords(name).join(' ')));
  const values = [tx.workspace, names.map(({ id }) => id), words];
  tx.deferToCommit(DELETE_WORDS, values);
  if (words.some(each => each !== '')) tx.deferToCommit(INSERT_WORDS, values);
}
