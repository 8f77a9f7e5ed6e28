import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/db/transaction.js';
import { HistoricalPeopleService } from '../people/historical-people.service.js';
import type { AsOf } from './claim-reader.service.js';
import { type CompanyPersonRow, readCompanyPeople } from './company-people.queries.js';

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
