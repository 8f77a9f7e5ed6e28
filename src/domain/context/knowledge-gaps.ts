import { expandTokens } from '#domain/text/thesaurus.js';

/** Topics of tasks: interchangeable properties, and the words that refer to them. */
const needs: readonly (readonly [properties: string, words: string])[] = [
  ['title', 'title role position job'],
  ['budget', 'budget price pricing cost money afford quote proposal'],
  ['timeline', 'timeline deadline schedule quarter urgency'],
  ['stage', 'stage pipeline deal status'],
  ['pain pain_points', 'pain problem challenge struggle'],
  ['competitors', 'competitor competitors alternative rival'],
  ['technologies', 'technology technologies stack tools integration'],
  ['headcount', 'headcount employees size'],
  ['industry', 'industry sector vertical'],
  ['location city country', 'location city country timezone based'],
  ['phone phones', 'phone call dial number'],
  ['email', 'email address inbox'],
  ['funding', 'funding round raised investors'],
  ['intent', 'intent interest interested'],
  ['owner', 'owner responsible'],
  ['next_step', 'next step follow'],
  ['buying_role', 'champion decision maker buyer signs'],
];

/** The properties that tasks refer to. */
export const TASK_PROPERTIES: readonly string[] = needs.flatMap(([properties]) => properties.split(' '));

/**
 * Returns the properties that a task refers to and that are unknown, by their first name, in a fixed order.
 * @param known properties that have a current claim, of the entity or its company.
 */
export function findTaskGaps(task: string, known: ReadonlySet<string>): string[] {
  const taskTokens = new Set(expandTokens(task));
  return needs.flatMap(([properties, words]) => {
    const names = properties.split(' ');
    const spokenOf = taskTokens.has(names[0]!) || expandTokens(words).some(token => taskTokens.has(token));
    return spokenOf && !names.some(name => known.has(name)) ? [names[0]!] : [];
  });
}

/** Returns the properties that an intent asks for and that are unknown, sorted by name. */
export function findIntentGaps(wanted: ReadonlySet<string>, known: ReadonlySet<string>): string[] {
  const names = [...wanted].map(name => name.replace(/^company\./, ''));
  const alike = (name: string) =>
    needs.find(([properties]) => properties.split(' ').includes(name))?.[0].split(' ') ?? [name];
  const missing = names.filter(name => !alike(name).some(other => known.has(other))).map(name => alike(name)[0]!);
  return [...new Set(missing)].toSorted();
}
