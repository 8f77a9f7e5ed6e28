import type { OpenAPIObject } from '@nestjs/swagger';

/** What the operations under each heading are about. */
const TAG_DESCRIPTIONS: Readonly<Record<string, string>> = {
  accounts: 'Everything that is known of one person or company.',
  attention: 'What wants attention now.',
  context: 'What an agent has to know before it acts.',
  dedup: 'Who of a list may be written to.',
  entities: 'Which identifiers name the same person or company.',
  integrations: 'Connections to other services.',
  'lead lists': 'Lists of leads.',
  leads: 'Rows of lead lists.',
  notes: 'Documents about people and companies.',
  observations: 'What happened and what is stated: the source of all claims.',
  people: 'People as rows.',
  query: 'What happened, across many people and companies.',
  score: 'How well a lead fits and how ready it is.',
  triggers: 'Addresses that are told of events.',
  verify: 'Whether a fact may be acted on.',
  workspace: 'What the workspace says of itself.',
};

/** Lists the headings that operations stand under, in the order in which they come. */
export function addTags(document: OpenAPIObject, operations: readonly { tags?: string[] }[]): void {
  const names = new Set(operations.flatMap(({ tags }) => tags ?? []));
  document.tags = [...names].map(name => ({ name, description: TAG_DESCRIPTIONS[name] ?? `${name}.` }));
}
