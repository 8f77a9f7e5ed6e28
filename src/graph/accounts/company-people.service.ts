import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/db/transaction.js';
import { HistoricalPeopleService } from '../people/historical-people.service.js';
import type { AsOf } from './claim-reader.service.js';
import { type CompanyPersonRow, readCompanyPeople } from './company-people.queries.js';

/** Reads the people of a company, now or as they were. */
@Injectable()
export class CompanyPeopleService {
  constructor(private readonly historicalPeople: HistoricalPeopleService) {}

  /**
   * The people of a company, those who were active last first. For another time than now: those of them of whom
   * something was known by then, as they were; who belongs to which company is as it is now.
   * One statement, two for another time. None for a person.
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
    const then = await this.historicalPeople.read(tx, ids, { asOf, knownAt });
    const claims = Map.groupBy(then.claims, ({ entity_id }) => entity_id);
    return people.flatMap(({ entity_id, email }) => {
      const own = new Map(claims.get(entity_id)?.map(({ property, value }) => [property, value]));
      const { name, last_activity_at } = then.entityOf(entity_id);
      if (own.size === 0 && last_activity_at === null) return [];
      const value = (property: string) => own.get(property) ?? null;
      const stated = { title: value('title'), stage: value('stage'), buying_role: value('buying_role') };
      return [
        {
          entity_id,
          name,
          ...stated,
          email: own.has('email') ? value('email') : email,
          engaged: then.hasInbound(entity_id),
        },
      ];
    });
  }
}
