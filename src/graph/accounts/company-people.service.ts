import { Injectable } from '@nestjs/common';
import type { CommitteeMember } from '#domain/context/committee.js';
import type { JsonValue } from '#domain/observation/observation.js';
import type { Tx } from '#kernel/db/transaction.js';
import { membersSql } from '../identity/links.queries.js';
import { HistoricalPeopleService } from '../people/historical-people.service.js';
import type { AsOf } from './claim-reader.service.js';

/** A person of a company in its account. */
export interface CompanyPerson {
  readonly entity_id: string;
  readonly name: string | null;
  readonly title: string | null;
  readonly email: string | null;
  readonly stage: string | null;
}

/** A row of {@link readCompanyPeople}; claims have their raw values. */
export interface CompanyPersonRow {
  readonly entity_id: string;
  readonly name: string | null;
  readonly title: JsonValue;
  readonly email: JsonValue;
  readonly stage: JsonValue;
  readonly buying_role: JsonValue;
  readonly engaged: boolean;
}

/** Maximum number of people in an account. */
export const MAX_COMPANY_PEOPLE = 50;

const claim = (property: string) =>
  `(SELECT value FROM claims c WHERE c.workspace_id = $1 AND c.entity_id = e.id AND c.property = '${property}')`;

/**
 * Reads the current people of a company and of the entities merged into it, most recently active first, then by ID.
 * Returns none for a person. One statement.
 */
export function readCompanyPeople(tx: Tx, companyId: string, limit = MAX_COMPANY_PEOPLE): Promise<CompanyPersonRow[]> {
  return tx.query<CompanyPersonRow>(
    `SELECT e.id AS entity_id, e.name, ${claim('title')} AS title, ${claim('stage')} AS stage,
            ${claim('buying_role')} AS buying_role, e.last_inbound_activity_at IS NOT NULL AS engaged,
            CASE WHEN EXISTS (SELECT FROM claims c WHERE c.workspace_id = $1 AND c.entity_id = e.id AND c.property = 'email')
              THEN ${claim('email')}
              ELSE (SELECT to_jsonb(i.value) FROM identifiers i
                    WHERE i.workspace_id = $1 AND i.entity_id = e.id AND i.kind = 'email'
                    ORDER BY i.first_seen, i.key LIMIT 1) END AS email
     FROM (
       SELECT person.* FROM (${membersSql(2)}) AS member CROSS JOIN LATERAL (
         SELECT id, name, last_activity_at, last_inbound_activity_at FROM entities
         WHERE workspace_id = $1 AND company_id = member.id AND type = 'person' AND canonical_id IS NULL
         ORDER BY last_activity_at DESC NULLS LAST, id LIMIT $3) AS person
       ORDER BY last_activity_at DESC NULLS LAST, id LIMIT $3
     ) AS e
     ORDER BY e.last_activity_at DESC NULLS LAST, e.id`,
    [tx.workspace, companyId, limit],
  );
}

/** Counts the people of a company. */
export async function countCompanyPeople(tx: Tx, companyId: string): Promise<number> {
  const [row] = await tx.query<{ people: number }>(
    `SELECT count(*)::int AS people FROM (${membersSql(2)}) AS member
     JOIN entities e ON e.workspace_id = $1 AND e.company_id = member.id AND e.type = 'person' AND e.canonical_id IS NULL`,
    [tx.workspace, companyId],
  );
  return row!.people;
}

/** Converts a person row to its shape in the account of the company. */
export function presentPerson({ entity_id, name, title, email, stage }: CompanyPersonRow): CompanyPerson {
  return { entity_id, name, title: toText(title), email: toText(email), stage: toText(stage) };
}

/** Converts a person row to a member of the buying committee. */
export function toCommitteeMember({ entity_id, name, title, buying_role, engaged }: CompanyPersonRow): CommitteeMember {
  return { entityId: entity_id, name, title: toText(title), buyingRole: toText(buying_role), engaged };
}

function toText(value: JsonValue): string | null {
  return typeof value === 'string' ? value : null;
}

/** Reads the people of a company, as of now or another time. */
@Injectable()
export class CompanyPeopleService {
  constructor(private readonly historicalPeople: HistoricalPeopleService) {}

  /**
   * Returns the people of a company, most recently active first; none for a person. For another time, returns the people
   * about whom something was known then, with the values of that time. Which company a person belongs to is always the
   * current state. One statement, two for another time.
   */
  async read(tx: Tx, companyId: string, time: AsOf): Promise<CompanyPersonRow[]> {
    const people = await readCompanyPeople(tx, companyId);
    const { asOf, knownAt } = time;
    if (people.length === 0 || (asOf === undefined && knownAt === undefined)) return people;
    return this.readAsOf(tx, people, time);
  }

  private async readAsOf(
    tx: Tx,
    people: readonly CompanyPersonRow[],
    { asOf, knownAt }: AsOf,
  ): Promise<CompanyPersonRow[]> {
    const ids = people.map(({ entity_id }) => entity_id);
    const past = await this.historicalPeople.read(tx, ids, { asOf, knownAt });
    const claims = Map.groupBy(past.claims, ({ entity_id }) => entity_id);
    return people.flatMap(({ entity_id, email }) => {
      const values = new Map(claims.get(entity_id)?.map(({ property, value }) => [property, value]));
      const { name, last_activity_at } = past.entityOf(entity_id);
      if (values.size === 0 && last_activity_at === null) return [];
      const value = (property: string) => values.get(property) ?? null;
      const details = { title: value('title'), stage: value('stage'), buying_role: value('buying_role') };
      return [
        {
          entity_id,
          name,
          ...details,
          email: values.has('email') ? value('email') : email,
          engaged: past.hasInbound(entity_id),
        },
      ];
    });
  }
}
