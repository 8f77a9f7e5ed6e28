import { Injectable } from '@nestjs/common';
import { parsePerson } from '#domain/people/parse-person.js';
import { PermanentError } from '#sdk/errors.js';
import type { PersonInput, UpsertResult, UpsertOptions } from '#sdk/ports/people-port.js';
import type { Tx } from '#kernel/db/transaction.js';
import { runMaybeDry, UnitOfWork } from '#kernel/db/unit-of-work.js';
import { mapYielding } from '#kernel/scheduling/cooperative-scheduler.js';
import type { PluginScope } from '#plugin-host/context/plugin-ports.js';
import { ProfileCache } from '../facts/facts.caches.js';
import { type PersonOutcome, type PersonWriteInput, PersonWriter } from '../people/person.writer.js';
import {
  parseObservedAt,
  parseUpsertRow,
  requireSystemName,
  toUpsertResult,
  type UpsertRowError,
  type UpsertRowOptions,
} from './upsert-rows.js';

const MAX_PEOPLE = 1_000;
/** Rows per transaction: enough to share its statements, few enough not to block others for long. */
const ROWS_PER_TRANSACTION = 100;

/** A parsed row, or its error. */
type ParsedRow = PersonWriteInput | UpsertRowError;

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
   * @throws PermanentError for more than 1,000 people or an invalid time or system.
   */
  async upsert(
    { workspaceId, plugin }: PluginScope,
    people: readonly PersonInput[],
    { source = plugin, system = plugin, observedAt, importId, dryRun = false }: UpsertOptions,
  ): Promise<readonly UpsertResult[]> {
    if (people.length > MAX_PEOPLE)
      throw new PermanentError(`One call takes at most ${MAX_PEOPLE} people; split the list.`);
    requireSystemName(system);
    const at = parseObservedAt(observedAt);
    const { phoneCountry } = await this.profiles.read(workspaceId);
    const options = { system, source, observedAt: at, country: phoneCountry };
    const rows = await mapYielding(people, person => parseRow(person, options));
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
    return batch.map(row => ('error' in row ? row : toResult(next.next().value!, row)));
  }

  private async writeMatched(tx: Tx, inputs: readonly PersonWriteInput[]): Promise<PersonOutcome[]> {
    return this.writer.write(tx, inputs, await this.writer.match(tx, inputs));
  }
}

/** Parses a row. A domain does not identify a person, and a phone number only where nothing better does. */
function parseRow(person: PersonInput, options: UpsertRowOptions): ParsedRow {
  const row = parseUpsertRow(person, 'person', parsePerson, options);
  if ('error' in row) return row;
  const { external } = row;
  const strong = row.identifiers.filter(({ form }) => form !== 'domain' && !(external && form === 'phone'));
  const identifiers = external ? [...strong, external] : strong;
  if (identifiers.length === 0) return { error: 'email, linkedin_url, external_id or phone is needed', field: 'email' };
  return { ...row, identifiers };
}

function toResult(outcome: PersonOutcome, row: PersonWriteInput): UpsertResult {
  if ('error' in outcome) return { error: outcome.error.detail ?? outcome.error.code };
  return toUpsertResult(outcome.recorded, outcome.match.matchedOn, row);
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
