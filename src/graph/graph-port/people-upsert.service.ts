import { Injectable } from '@nestjs/common';
import {
  computeDigest,
  deriveRecordKey,
  type ObservationDraft,
  type ObservationProblem,
} from '#domain/observation/observation.js';
import { toExternalFocus } from '#domain/identity/external.js';
import type { PhoneCountry } from '#domain/identity/phone.js';
import { parsePerson } from '#domain/people/parse-person.js';
import { type Instant, parseInstant } from '#domain/time/instant.js';
import { PermanentError } from '#sdk/errors.js';
import type { PersonInput, UpsertResult, UpsertOptions } from '#sdk/people-port.js';
import type { Tx } from '#kernel/db/transaction.js';
import { runMaybeDry, UnitOfWork } from '#kernel/db/unit-of-work.js';
import type { PluginScope } from '#plugin-host/context/plugin-ports.js';
import { ProfileCache } from '../facts/facts.caches.js';
import { type PersonOutcome, type PersonWriteInput, PersonWriter } from '../people/person.writer.js';

const MAX_PEOPLE = 1_000;
/** Rows per transaction: enough to share its statements, few enough not to block others for long. */
const ROWS_PER_TRANSACTION = 250;

/** A parsed row, or its error. */
type ParsedRow = PersonWriteInput | { readonly error: string; readonly field: string };

/** Writes people for plugins as observations, with a few SQL statements per batch. */
@Injectable()
export class PeopleUpsertService {
  constructor(
    private readonly writer: PersonWriter,
    private readonly work: UnitOfWork,
    private readonly profiles: ProfileCache,
  ) {}

  /**
   * Creates or updates people. Errors of single rows are returned in their results.
   * @throws PermanentError for more than 1,000 people or an invalid time.
   */
  async upsert(
    { workspaceId, plugin }: PluginScope,
    people: readonly PersonInput[],
    { source = plugin, observedAt, importId, dryRun = false }: UpsertOptions,
  ): Promise<readonly UpsertResult[]> {
    if (people.length > MAX_PEOPLE)
      throw new PermanentError(`One call takes at most ${MAX_PEOPLE} people; split the list.`);
    const at = observedAt === undefined ? undefined : parseInstant(observedAt);
    if (observedAt !== undefined && at === undefined) throw new PermanentError('observedAt is no ISO 8601 time.');
    const { phoneCountry } = await this.profiles.read(workspaceId);
    const rows = people.map(person => parseRow(person, { plugin, source, observedAt: at, country: phoneCountry }));
    const results: UpsertResult[] = [];
    for (let from = 0; from < people.length; from += ROWS_PER_TRANSACTION) {
      const batch = rows.slice(from, from + ROWS_PER_TRANSACTION);
      results.push(
        ...(await runMaybeDry(this.work, workspaceId, dryRun, async tx => {
          const written = await this.write(tx, batch);
          if (importId !== undefined)
            emitImported(tx, people.slice(from, from + ROWS_PER_TRANSACTION), written, importId);
          return written;
        })),
      );
    }
    return results;
  }

  private async write(tx: Tx, batch: readonly ParsedRow[]): Promise<UpsertResult[]> {
    const inputs = batch.filter((row): row is PersonWriteInput => !('error' in row));
    const outcomes = inputs.length === 0 ? [] : await this.writeMatched(tx, inputs);
    const next = outcomes.values();
    return batch.map(row => ('error' in row ? row : toUpsertResult(next.next().value!, row)));
  }

  private async writeMatched(tx: Tx, inputs: readonly PersonWriteInput[]): Promise<PersonOutcome[]> {
    return this.writer.write(tx, inputs, await this.writer.match(tx, inputs));
  }
}

/** What rows have in common. */
interface RowOptions {
  readonly plugin: string;
  readonly source: string;
  readonly observedAt: Instant | undefined;
  readonly country: PhoneCountry | undefined;
}

/** Parses a row. Empty values are ignored, because an empty cell of a table does not end a fact. */
function parseRow(
  { external_id: recordId, observed_at, ...person }: PersonInput,
  { plugin, source, observedAt, country }: RowOptions,
): ParsedRow {
  const external = recordId === undefined ? undefined : toExternalFocus(plugin, String(recordId), 'person');
  if (recordId !== undefined && !external)
    return { error: 'external_id must be the ID of the record, at most 320 characters.', field: 'external_id' };
  const time = observed_at === undefined ? observedAt : parseInstant(observed_at);
  if (observed_at !== undefined && time === undefined)
    return { error: 'observed_at must be an ISO 8601 time, such as 2026-11-20T09:00:00Z.', field: 'observed_at' };
  const fields = Object.entries(person).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const problems: ObservationProblem[] = [];
  const origin = { source, method: 'plugin' };
  const row = Object.fromEntries(fields);
  const read = parsePerson(
    row,
    { origin, now: Date.now() * 1_000, reserved: new Set(), placeholders: 'ignore', country },
    problems,
  );
  const [problem] = problems;
  if (problem) return { error: problem.message, field: problem.field };
  const strong = read.identifiers.filter(({ form }) => form !== 'domain' && !(external && form === 'phone'));
  const identifiers = external ? [...strong, external] : strong;
  if (identifiers.length === 0) return { error: 'email, linkedin_url, external_id or phone is needed', field: 'email' };
  const at = time === undefined ? {} : { observedAt: time };
  const observations = read.observations.map(observation => {
    const timed = { ...observation, ...at };
    if (external) return { ...timed, externalId: deriveRecordKey(plugin, external.id, timed) };
    return time === undefined ? timed : withKey({ ...observation, observedAt: time });
  });
  return { ...read, identifiers, observations };
}

/** Adds a deduplication key: the same value of the same time, from the same source, is a repeat. */
function withKey(observation: ObservationDraft & { observedAt: Instant }): ObservationDraft {
  return { ...observation, externalId: `fact:${computeDigest(observation)}` };
}

function toUpsertResult(outcome: PersonOutcome, { warnings, observations }: PersonWriteInput): UpsertResult {
  if ('error' in outcome) return { error: outcome.error.detail ?? outcome.error.code };
  const { match, recorded: body } = outcome;
  // The key of a fact holds its value, so that only the default time of a repeat can differ.
  const repeats = new Set(
    body.conflicts.flatMap(({ index }) => (observations[index]?.observedAt === undefined ? [index] : [])),
  );
  return {
    entity_id: body.entity_id,
    created: match.matchedOn === null,
    matched_by: match.matchedOn,
    recorded: body.recorded,
    duplicates: body.duplicates + repeats.size,
    conflicts: body.conflicts
      .filter(({ index }) => !repeats.has(index))
      .map(each => ({ ...each, property: observations[each.index]!.property })),
    ...(warnings.length > 0 && { warnings }),
  };
}

function emitImported(
  tx: Tx,
  people: readonly PersonInput[],
  results: readonly UpsertResult[],
  import_id: string,
): void {
  results.forEach((result, i) => {
    if (!('entity_id' in result)) return;
    const { email = null, name = null } = people[i]!;
    tx.emit({ type: 'contact.imported', payload: { entity_id: result.entity_id, email, name, import_id } });
  });
}
