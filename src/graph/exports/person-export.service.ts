import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { NIL } from 'uuid';
import { createMentionMatcher, type MentionMatcher } from '#domain/erasure/mentions.js';
import { toIso } from '#domain/time/instant.js';
import { recordAct } from '#kernel/audit/audit-log.js';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { FileStore } from '#kernel/files/file-store.js';
import { SecretBox } from '#kernel/secrets/secret-box.js';
import { EntityResolverService } from '../identity/entity-resolver.service.js';
import { readIdentity } from '../erasures/identity-terms.js';
import { readFileWindow, readMentioningLines } from '../erasures/stored-files.js';
import { PASSAGE_TEXT_SQL } from '../notes/note-index.queries.js';
import { EXPORTED_TABLES, readColumns } from './exported-tables.js';
import { MENTION_SOURCES, readMentionsIn } from './person-mentions.js';

const PAGE_SIZE = 100;
/** Time limit of a page, in milliseconds. */
const PAGE_TIMEOUT_MS = 30_000;

/** A part of the export: the rows of a table that belong to the person. */
interface Section {
  readonly table: string;
  /** Condition on a row `r`; `$2` holds the IDs of the entities that were merged into the person. */
  readonly where: string;
  /** Column by which pages are ordered; unique within the rows of the person. */
  readonly order: string;
  /** Columns that only the database and the search use. */
  readonly omit?: readonly string[];
}

const OF_ENTITY = 'r.entity_id = ANY ($2)';

const SECTIONS: Readonly<Record<string, Section>> = {
  entities: { table: 'entities', where: 'r.id = ANY ($2)', order: 'id::text', omit: ['name_key'] },
  identifiers: { table: 'identifiers', where: OF_ENTITY, order: "kind || ' ' || key" },
  links: { table: 'entity_links', where: '(r.a = ANY ($2) OR r.b = ANY ($2))', order: 'id::text' },
  merge_proposals: {
    table: 'merge_proposals',
    where: '(r.entity_id = ANY ($2) OR r.other_entity_id = ANY ($2))',
    order: "entity_id::text || ' ' || kind || ' ' || key",
  },
  claims: { table: 'claims', where: OF_ENTITY, order: "entity_id::text || ' ' || property", omit: ['state'] },
  observations: { table: 'observation_log', where: OF_ENTITY, order: 'id::text', omit: ['digest'] },
  notes: { table: 'note_log', where: OF_ENTITY, order: 'id::text' },
  leads: { table: 'leads', where: OF_ENTITY, order: 'id::text' },
  attention_marks: { table: 'attention_marks', where: OF_ENTITY, order: 'item_id' },
};

/** Exports everything that is held about one person. */
@Injectable()
export class PersonExportService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly entities: EntityResolverService,
    private readonly box: SecretBox,
    private readonly files: FileStore,
  ) {}

  /**
   * Returns the export as a stream of JSON, page by page.
   * @param focus an entity ID, e-mail address or LinkedIn URL
   * @throws HubError `invalid_focus`, `entity_not_found`, also for a company
   */
  async export(workspace: string, focus: string): Promise<Readable> {
    const { head, matcher } = await this.work.run(workspace, async tx => {
      const { ids: members } = await this.entities.resolvePerson(tx, focus);
      const [canonicalId] = members as [string];
      const [entity] = await tx.query<{ type: string }>(
        'SELECT type FROM entities WHERE workspace_id = $1 AND id = $2',
        [workspace, canonicalId],
      );
      if (entity?.type !== 'person') throw HubError.entityNotFound();
      recordAct(tx, { action: 'person.export', objectId: canonicalId });
      const matcher = createMentionMatcher((await readIdentity(tx, members)).terms);
      return { matcher, head: { person_id: canonicalId, members, exported_at: toIso(await tx.now()) } };
    });
    return Readable.from(this.write(workspace, head, matcher), { objectMode: false });
  }

  private async *write(
    workspace: string,
    { members: ids, ...head }: { person_id: string; members: readonly string[]; exported_at: string },
    matcher: MentionMatcher,
  ): AsyncGenerator<string> {
    const read = <T>(page: (tx: Tx) => Promise<T>) => this.work.run(workspace, page, { budgetMs: PAGE_TIMEOUT_MS });
    yield `${JSON.stringify(head).slice(0, -1)}`;
    for (const [name, section] of Object.entries(SECTIONS)) {
      yield* writeField<string>(name, after => read(tx => readSection(tx, section, ids, after)));
    }
    yield* writeField<string>('mentions', after => read(tx => readNoteMentions(tx, matcher, ids, after ?? NIL)));
    for (const [name, source] of Object.entries(MENTION_SOURCES)) {
      yield* writeField<readonly string[]>(name, after =>
        read(tx => readMentionsIn(tx, this.box, source, { ids, matcher }, after)),
      );
    }
    yield* writeField<string>('mentions_in_files', after =>
      read(async tx => {
        const window = await readFileWindow(tx, this.files, after);
        return window ? readMentioningLines({ ids, matcher }, window) : { rows: [], last: null };
      }),
    );
    yield '}';
  }
}

/** A page of a field, as JSON texts. */
interface Page<Key> {
  readonly rows: readonly string[];
  /** Where the next page starts; null at the end. */
  readonly last: Key | null;
}

/** Writes a field with all its pages. */
async function* writeField<Key>(
  name: string,
  readPage: (after: Key | null) => Promise<Page<Key>>,
): AsyncGenerator<string> {
  yield `,${JSON.stringify(name)}:[`;
  let separator = '';
  for (let after: Key | null = null, isFirst = true; isFirst || after !== null; isFirst = false) {
    const { rows, last }: Page<Key> = await readPage(after);
    if (rows.length > 0) {
      yield `${separator}${rows.join(',')}`;
      separator = ',';
    }
    after = last;
  }
  yield ']';
}

async function readSection(
  tx: Tx,
  { table, where, order, omit = [] }: Section,
  members: readonly string[],
  after: string | null,
): Promise<Page<string>> {
  const exported = EXPORTED_TABLES.find(({ name }) => name === table)!;
  const columns = await readColumns(tx, { ...exported, omit: ['workspace_id', ...omit] });
  const rows = await tx.query<{ json: string; position: string }>(
    `SELECT (to_jsonb(page) - 'export_position')::text AS json, page.export_position AS position
     FROM (SELECT ${columns.map(column => `r.${column}`).join(', ')}, (${order}) COLLATE "C" AS export_position
           FROM ${table} r WHERE r.workspace_id = $1 AND ${where} AND ($3::text IS NULL OR (${order}) COLLATE "C" > $3)
           ORDER BY (${order}) COLLATE "C" LIMIT ${PAGE_SIZE}) AS page`,
    [tx.workspace, members, after],
  );
  return { rows: rows.map(({ json }) => json), last: rows.length < PAGE_SIZE ? null : rows.at(-1)!.position };
}

const NOTES_PER_WINDOW = 500;

/** Passages of a note on somebody else that mention the person; the rest of the note is about others. */
interface Mention {
  readonly note_id: string;
  readonly date: string;
  readonly source: string;
  readonly passages: readonly string[];
}

/** Reads a window of notes on others and returns what they say about the person. */
async function readNoteMentions(
  tx: Tx,
  matcher: MentionMatcher,
  members: readonly string[],
  after: string,
): Promise<Page<string>> {
  const [end] = await tx.query<{ id: string }>(
    `SELECT id FROM (SELECT id FROM note_log WHERE workspace_id = $1 AND id > $2 ORDER BY id LIMIT ${NOTES_PER_WINDOW})
       AS page ORDER BY id DESC LIMIT 1`,
    [tx.workspace, after],
  );
  if (!end) return { rows: [], last: null };
  const rows = await tx.query<Mention & { title: string }>(
    `SELECT n.id AS note_id, n.title, n.date::text AS date, n.source,
       (SELECT coalesce(array_agg(${PASSAGE_TEXT_SQL} ORDER BY c.position), '{}') FROM note_chunks c
        WHERE c.workspace_id = $1 AND c.note_id = n.id AND ${PASSAGE_TEXT_SQL} ~* $5) AS passages
     FROM note_log n WHERE n.workspace_id = $1 AND n.id > $2 AND n.id <= $3 AND n.entity_id <> ALL ($4)
       AND (n.title ~* $5 OR n.content ~* $5) ORDER BY n.id`,
    [tx.workspace, after, end.id, members, matcher.prefilter],
  );
  const mentions = rows.map(({ title, passages, ...note }) => ({
    ...note,
    passages: [title, ...passages].filter(text => matcher.isMentionedIn(text)),
  }));
  const found = mentions.filter(({ passages }) => passages.length > 0);
  return { rows: found.map(mention => JSON.stringify(mention)), last: end.id };
}
