import type { OpenAPIObject } from '@nestjs/swagger';

/** Description of each tag. */
const TAG_DESCRIPTIONS: Readonly<Record<string, string>> = {
  accounts: 'Everything known about one person or company.',
  attention: 'What needs attention across the workspace.',
  context: 'Ranked context for a task about one person or company.',
  dedup: 'Classification of contacts before cold outreach.',
  entities: 'Merging and unmerging of people and companies.',
  erasures: 'Erasure of people and their personal data.',
  integrations: 'Connections to external providers, and CRM sync.',
  'lead lists': 'Named lists of leads.',
  leads: 'People in lead lists, with their outreach state and score.',
  notes: 'Meeting briefs, transcripts and notes about people and companies.',
  observations: 'Events and facts about people and companies: the source of all claims.',
  people: 'People, one row each.',
  query: 'Queries over observations across many people and companies.',
  score: 'Fit, Pain, Intent and Ability of leads.',
  triggers: 'Webhook endpoints that receive events.',
  verify: 'Verification of single facts.',
  'API keys': 'API keys of the workspace.',
  workspace: 'Profile, go-to-market facts, scoring model and trust settings of the workspace.',
};

/** Adds the tags of the operations to the document, in order of first use. */
export function addTags(document: OpenAPIObject, operations: readonly { tags?: string[] }[]): void {
  const names = new Set(operations.flatMap(({ tags }) => tags ?? []));
  document.tags = [...names].map(name => ({
    name,
    description: TAG_DESCRIPTIONS[name] ?? `Operations of the ${name} plugin.`,
  }));
}
