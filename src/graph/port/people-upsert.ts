import { Injectable } from '@nestjs/common';
import { PermanentError } from '#sdk/errors.js';
import type { PersonInput, UpsertAnswer, UpsertOptions } from '#sdk/graph-port.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/errors.js';
import type { PluginScope } from '#kernel/plugins/context/plugin-ports.js';
import { ObservationsService } from '../observations/observations.service.js';
import { readRecordRequest } from '../observations/record-request.js';

const MOST = 1_000;
/** Calls that wait at once: as many as share a transaction. */
const TOGETHER = 64;

type Imported = { readonly entity_id: string; readonly email: string | null; readonly name: string | null };

/** Writes people as statements about them, row by row, through the log like everything else. */
@Injectable()
export class PeopleUpsert {
  constructor(
    private readonly observations: ObservationsService,
    private readonly work: UnitOfWork,
  ) {}

  /** @throws PermanentError for more than 1000 people; what is wrong with one row stands in its answer */
  async upsert(
    scope: PluginScope,
    people: readonly PersonInput[],
    options: UpsertOptions,
  ): Promise<readonly UpsertAnswer[]> {
    if (people.length > MOST) throw new PermanentError(`One call takes at most ${MOST} people; split the list.`);
    const answers: UpsertAnswer[] = [];
    for (let at = 0; at < people.length; at += TOGETHER) {
      const batch = people.slice(at, at + TOGETHER);
      answers.push(...(await Promise.all(batch.map(person => this.write(scope, person, options)))));
    }
    if (options.importId !== undefined) await this.announce(scope, people, answers, options.importId);
    return answers;
  }

  private async write(
    { workspaceId, plugin }: PluginScope,
    person: PersonInput,
    { source = plugin, observedAt }: UpsertOptions,
  ): Promise<UpsertAnswer> {
    const focus = person.email ?? person.linkedin_url;
    if (!focus) return { error: 'email or linkedin_url is needed', field: 'email' };
    const more = { source, method: 'plugin', ...(observedAt !== undefined && { observed_at: observedAt }) };
    const stated = Object.entries(person).filter(([, value]) => value !== undefined && value !== null && value !== '');
    const observations = stated.map(([property, value]) => ({ kind: 'state', property, value, ...more }));
    try {
      const { body } = await this.observations.record(workspaceId, readRecordRequest({ focus, observations }));
      return { entity_id: body.entity_id, created: body.entity_created };
    } catch (error) {
      if (!(error instanceof HubError) || error.status >= 500) throw error;
      const [problem] = error.details ?? [];
      const at = /^observations\[(\d+)\]/.exec(problem?.field ?? '')?.[1];
      const field = at === undefined ? undefined : stated[Number(at)]?.[0];
      return { error: problem?.message ?? error.detail ?? error.code, ...(field !== undefined && { field }) };
    }
  }

  private async announce(
    { workspaceId }: PluginScope,
    people: readonly PersonInput[],
    answers: readonly UpsertAnswer[],
    importId: string,
  ): Promise<void> {
    const imported = answers.flatMap((answer, i): Imported[] => {
      const { email = null, name = null } = people[i]!;
      return 'entity_id' in answer ? [{ entity_id: answer.entity_id, email, name }] : [];
    });
    await this.work.run(workspaceId, async tx => {
      for (const facts of imported) tx.emit({ type: 'contact.imported', payload: { ...facts, import_id: importId } });
    });
  }
}
