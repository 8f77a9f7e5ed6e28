import { Injectable } from '@nestjs/common';
import type { Problem } from '#domain/observation/observation.js';
import { readPerson } from '#domain/people/read-person.js';
import { type Instant, parseInstant } from '#domain/time/instant.js';
import { PermanentError } from '#sdk/errors.js';
import type { PersonInput, UpsertAnswer, UpsertOptions } from '#sdk/graph-port.js';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import type { PluginScope } from '#kernel/plugins/context/plugin-ports.js';
import { type PersonOutcome, type PersonWish, PersonWriter } from '../people/person-writer.js';

const MOST = 1_000;
/** Rows of one transaction: enough to share its statements, and few enough not to hold others up. */
const TOGETHER = 250;

/** A row that can be written, or why not. */
type Read = PersonWish | { readonly error: string; readonly field: string };

/** Writes people as statements about them, a handful of statements for hundreds of rows. */
@Injectable()
export class PeopleUpsert {
  constructor(
    private readonly writer: PersonWriter,
    private readonly work: UnitOfWork,
  ) {}

  /** @throws PermanentError for more than 1000 people or a bad time; what is wrong with one row stands in its answer */
  async upsert(
    { workspaceId, plugin }: PluginScope,
    people: readonly PersonInput[],
    { source = plugin, observedAt, importId }: UpsertOptions,
  ): Promise<readonly UpsertAnswer[]> {
    if (people.length > MOST) throw new PermanentError(`One call takes at most ${MOST} people; split the list.`);
    const at = observedAt === undefined ? undefined : parseInstant(observedAt);
    if (observedAt !== undefined && at === undefined) throw new PermanentError('observedAt is no ISO 8601 time.');
    const wishes = people.map(person => readRow(person, source, at));
    const answers: UpsertAnswer[] = [];
    for (let from = 0; from < people.length; from += TOGETHER) {
      const batch = wishes.slice(from, from + TOGETHER);
      answers.push(
        ...(await this.work.run(workspaceId, async tx => {
          const written = await this.write(tx, batch);
          if (importId !== undefined) announce(tx, people.slice(from, from + TOGETHER), written, importId);
          return written;
        })),
      );
    }
    return answers;
  }

  private async write(tx: Tx, batch: readonly Read[]): Promise<UpsertAnswer[]> {
    const wishes = batch.filter((row): row is PersonWish => !('error' in row));
    const outcomes = wishes.length === 0 ? [] : await this.outcomesOf(tx, wishes);
    const next = outcomes.values();
    return batch.map(row => ('error' in row ? row : answerTo(next.next().value!)));
  }

  private async outcomesOf(tx: Tx, wishes: readonly PersonWish[]): Promise<PersonOutcome[]> {
    return this.writer.write(tx, wishes, await this.writer.match(tx, wishes));
  }
}

/** An empty cell of a table says nothing; it does not end a fact. */
function readRow(person: PersonInput, source: string, observedAt: Instant | undefined): Read {
  const stated = Object.entries(person).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const problems: Problem[] = [];
  const origin = { source, method: 'plugin' };
  const row = Object.fromEntries(stated);
  const read = readPerson(row, { origin, now: Date.now() * 1_000, reserved: new Set() }, problems);
  const [problem] = problems;
  if (problem) return { error: problem.message, field: problem.field };
  const identifiers = read.identifiers.filter(({ form }) => form !== 'domain');
  if (identifiers.length === 0) return { error: 'email or linkedin_url is needed', field: 'email' };
  const at = observedAt === undefined ? {} : { observedAt };
  return { ...read, identifiers, observations: read.observations.map(observation => ({ ...observation, ...at })) };
}

function answerTo(outcome: PersonOutcome): UpsertAnswer {
  if ('error' in outcome) return { error: outcome.error.detail ?? outcome.error.code };
  return { entity_id: outcome.recorded.entity_id, created: outcome.recorded.entity_created };
}

function announce(tx: Tx, people: readonly PersonInput[], answers: readonly UpsertAnswer[], import_id: string): void {
  answers.forEach((answer, i) => {
    if (!('entity_id' in answer)) return;
    const { email = null, name = null } = people[i]!;
    tx.emit({ type: 'contact.imported', payload: { entity_id: answer.entity_id, email, name, import_id } });
  });
}
