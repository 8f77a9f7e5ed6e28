import type { Actor } from '#domain/actor/actor.js';
import type { SectionVersion } from '#domain/facts/fact.js';
import type { JsonValue } from '#domain/observation/observation.js';
import { type Instant, toIso } from '#domain/time/instant.js';
import { prepare } from '#kernel/db/prepared-query.js';
import type { Transaction, Tx } from '#kernel/db/transaction.js';
import { type WorkspaceFact, WorkspaceFactEntity } from './workspace-fact.entity.js';

interface Row {
  readonly id: string;
  readonly section: string;
  readonly version: number;
  readonly content: JsonValue;
  readonly source: string;
  readonly author: Actor | null;
  readonly note: string | null;
  readonly subject: string | null;
  readonly confidence: number;
  readonly source_path: string | null;
  readonly created_at: Instant;
}

const COLUMNS = 'id, section, version, content, source, author, note, subject, confidence, source_path, created_at';

/**
 * Returns the newest version of each section; sections that were not written by `asOf` are missing. One statement.
 * @param sections null for every section of the workspace.
 */
export async function readCurrentSections(
  tx: Tx,
  sections: readonly string[] | null,
  asOf?: Instant,
): Promise<SectionVersion[]> {
  const named =
    sections === null
      ? 'SELECT DISTINCT section FROM workspace_facts WHERE workspace_id = $1'
      : 'SELECT unnest($3::text[])';
  const rows = await tx.query<Row>(
    `SELECT newest.* FROM (${named}) AS requested (name) CROSS JOIN LATERAL (
       SELECT ${COLUMNS} FROM workspace_facts
       WHERE workspace_id = $1 AND section = requested.name AND created_at <= coalesce($2, 'infinity'::timestamptz)
       ORDER BY version DESC LIMIT 1) AS newest
     ORDER BY section`,
    [tx.workspace, asOf === undefined ? null : toIso(asOf), ...(sections === null ? [] : [sections])],
  );
  return rows.map(toSectionVersion);
}

const READ_CONTENTS = prepare(
  `SELECT newest.* FROM unnest($2::text[]) AS requested (name) CROSS JOIN LATERAL (
     SELECT section, version, content FROM workspace_facts
     WHERE workspace_id = $1 AND section = requested.name AND created_at <= coalesce($3, 'infinity'::timestamptz)
     ORDER BY version DESC LIMIT 1) AS newest`,
);

/** Returns the content and version of sections as of a time. A prepared query, for frequent use. One statement. */
export function readSectionContents(
  tx: Tx,
  sections: readonly string[],
  asOf?: Instant,
): Promise<Pick<SectionVersion, 'section' | 'version' | 'content'>[]> {
  return tx.query(READ_CONTENTS, [tx.workspace, sections, asOf === undefined ? null : toIso(asOf)]);
}

/** Returns the newest content of a section; undefined if it was never written. Runs in a system transaction. */
export async function readNewestContent(
  tx: Transaction,
  workspace: string,
  section: string,
): Promise<JsonValue | undefined> {
  const [newest] = await tx.query<{ content: JsonValue }>(
    'SELECT content FROM workspace_facts WHERE workspace_id = $1 AND section = $2 ORDER BY version DESC LIMIT 1',
    [workspace, section],
  );
  return newest?.content;
}

/** Returns one version of a section; undefined if it does not exist. */
export async function readSectionVersion(
  tx: Tx,
  section: string,
  version: number,
): Promise<SectionVersion | undefined> {
  const em = await tx.entityManager();
  const fact = await em.findOne(WorkspaceFactEntity, { workspaceId: tx.workspace, section, version });
  return fact ? pickSectionVersion(fact) : undefined;
}

/** Returns at most `limit` versions of each section, newest first. One statement. */
export async function readSectionHistory(
  tx: Tx,
  sections: readonly string[],
  asOf: Instant | undefined,
  limit: number,
): Promise<SectionVersion[]> {
  const rows = await tx.query<Row>(
    `SELECT past.* FROM unnest($2::text[]) AS requested (name) CROSS JOIN LATERAL (
       SELECT ${COLUMNS} FROM workspace_facts
       WHERE workspace_id = $1 AND section = requested.name AND created_at <= coalesce($3, 'infinity'::timestamptz)
       ORDER BY version DESC LIMIT $4) AS past`,
    [tx.workspace, sections, asOf === undefined ? null : toIso(asOf), limit],
  );
  return rows.map(toSectionVersion);
}

/** Locks a section against other writers until the transaction ends. */
export async function lockSection(tx: Tx, section: string): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`facts ${tx.workspace} ${section}`]);
}

/** Returns the number of sections of the workspace. */
export async function countSections(tx: Tx): Promise<number> {
  const [row] = await tx.query<{ sections: number }>(
    'SELECT count(DISTINCT section)::int AS sections FROM workspace_facts WHERE workspace_id = $1',
    [tx.workspace],
  );
  return row!.sections;
}

/** Inserts a version and returns it with the time it was created. */
export async function insertSectionVersion(
  tx: Tx,
  version: Omit<SectionVersion, 'createdAt'>,
): Promise<SectionVersion> {
  const em = await tx.entityManager();
  const fact = em.create(WorkspaceFactEntity, { workspaceId: tx.workspace, ...version });
  await em.persist(fact).flush();
  return pickSectionVersion(fact);
}

function pickSectionVersion(fact: WorkspaceFact): SectionVersion {
  const { id, section, version, content, source, author, note, subject, confidence, sourcePath, createdAt } = fact;
  return {
    id,
    section,
    version,
    content,
    source,
    author: author ?? null,
    note: note ?? null,
    subject: subject ?? null,
    confidence,
    sourcePath: sourcePath ?? null,
    createdAt,
  };
}

function toSectionVersion({ source_path, created_at, ...row }: Row): SectionVersion {
  return { ...row, sourcePath: source_path, createdAt: created_at };
}
