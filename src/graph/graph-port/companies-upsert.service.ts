import { Injectable } from '@nestjs/common';
import { type IdentifierFocus, toIdentifier } from '#domain/identity/focus.js';
import { parseCompanyRow } from '#domain/people/parse-person.js';
import { PermanentError } from '#sdk/errors.js';
import type { CompanyInput, CompanyUpsertOptions, UpsertResult } from '#sdk/ports/people-port.js';
import type { Tx } from '#kernel/db/transaction.js';
import { runMaybeDry, UnitOfWork } from '#kernel/db/unit-of-work.js';
import { mapYielding } from '#kernel/scheduling/cooperative-scheduler.js';
import type { PluginScope } from '#plugin-host/context/plugin-ports.js';
import { findOwners, type IdentifierKey, identifierKey, type Owner } from '../identity/identifiers.queries.js';
import { RecordBatchWriter } from '../observations/record-batch.writer.js';
import {
  parseObservedAt,
  type ParsedUpsertRow,
  parseUpsertRow,
  requireSystemName,
  toRowError,
  toUpsertResult,
  type UpsertRowError,
  type UpsertRowOptions,
} from './upsert-rows.js';

const MAX_COMPANIES = 1_000;
/** Rows per transaction: enough to share its statements, few enough not to block others for long. */
const ROWS_PER_TRANSACTION = 250;

/** A row to write, and the form of the identifier that matched; null for a new company. */
interface MatchedRow {
  readonly row: ParsedUpsertRow;
  readonly focus: IdentifierFocus;
  readonly matchedBy: string | null;
}

/** Writes companies for plugins as observations, with a few SQL statements per batch. */
@Injectable()
export class CompaniesUpsertService {
  constructor(
    private readonly writer: RecordBatchWriter,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Creates or updates companies. Errors of single rows are returned in their results.
   * @throws PermanentError for more than 1,000 companies or an invalid time or system.
   */
  async upsert(
    { workspaceId, plugin }: PluginScope,
    companies: readonly CompanyInput[],
    { source = plugin, system = plugin, observedAt, dryRun = false }: CompanyUpsertOptions,
  ): Promise<readonly UpsertResult[]> {
    if (companies.length > MAX_COMPANIES)
      throw new PermanentError(`One call takes at most ${MAX_COMPANIES} companies; split the list.`);
    requireSystemName(system);
    const options = { system, source, observedAt: parseObservedAt(observedAt), country: undefined };
    const rows = await mapYielding(companies, company => parseRow(company, options));
    const results: UpsertResult[] = [];
    for (let from = 0; from < rows.length; from += ROWS_PER_TRANSACTION) {
      const batch = rows.slice(from, from + ROWS_PER_TRANSACTION);
      results.push(...(await runMaybeDry(this.work, workspaceId, dryRun, tx => this.write(tx, batch))));
    }
    return results;
  }

  private async write(tx: Tx, batch: readonly (ParsedUpsertRow | UpsertRowError)[]): Promise<UpsertResult[]> {
    const rows = batch.filter((row): row is ParsedUpsertRow => !('error' in row));
    const matched = matchRows(
      rows,
      await findOwners(
        tx,
        rows.flatMap(({ identifiers }) => identifiers.map(toIdentifier)),
      ),
    );
    const calls = matched.flatMap(each => ('error' in each ? [] : [toCall(each)]));
    const outcomes = calls.length === 0 ? [] : await this.writer.write(tx, calls);
    const [nextMatch, nextOutcome] = [matched.values(), outcomes.values()];
    return batch.map(row => {
      if ('error' in row) return row;
      const match = nextMatch.next().value!;
      if ('error' in match) return match;
      const outcome = nextOutcome.next().value!;
      if ('error' in outcome) return toRowError(outcome.error);
      return toUpsertResult(outcome.result.body, match.matchedBy, row);
    });
  }
}

/** Parses a row: domains first, then the company page and the ID of the record. */
function parseRow(company: CompanyInput, options: UpsertRowOptions): ParsedUpsertRow | UpsertRowError {
  const row = parseUpsertRow(company, 'company', parseCompanyRow, options);
  if ('error' in row) return row;
  const identifiers = row.external ? [...row.identifiers, row.external] : row.identifiers;
  if (identifiers.length === 0) return { error: 'domain, linkedin_url or external_id is needed', field: 'domain' };
  return { ...row, identifiers };
}

/** Matches rows by the first identifier that the graph, or a row before, knows. */
function matchRows(
  rows: readonly ParsedUpsertRow[],
  owners: ReadonlyMap<IdentifierKey, Owner>,
): (MatchedRow | UpsertRowError)[] {
  /** The focus of the row that stated an identifier first: rows about one company are written to one entity. */
  const stated = new Map<IdentifierKey, IdentifierFocus>();
  return rows.map(row => {
    const keyOf = (focus: IdentifierFocus) => identifierKey(toIdentifier(focus));
    const personal = row.identifiers.find(each => owners.get(keyOf(each))?.type === 'person');
    if (personal) return { error: 'The identifier belongs to a person, not to a company.', field: toField(personal) };
    const known = row.identifiers.find(each => owners.has(keyOf(each)) || stated.has(keyOf(each)));
    const focus = (known && stated.get(keyOf(known))) ?? known ?? row.identifiers[0]!;
    for (const each of row.identifiers) if (!stated.has(keyOf(each))) stated.set(keyOf(each), focus);
    return { row, focus, matchedBy: known?.form ?? null };
  });
}

function toField({ form }: IdentifierFocus): string {
  return form === 'external' ? 'external_id' : form === 'linkedin' ? 'linkedin_url' : 'domain';
}

function toCall({ row: { identifiers, observations, origin }, focus }: MatchedRow) {
  const alsoKnownAs = identifiers.filter(each => each !== focus);
  return { request: { focus, observations, alsoKnownAs, origin }, idempotencyKey: undefined };
}
