import { ANNA } from './sales-graph.js';

/** Addresses below a workspace, with a heading that is there when the page is. */
export const PAGES: readonly (readonly [path: string, heading: string])[] = [
  ['attention', 'Attention'],
  ['people', 'People'],
  ['companies', 'Companies'],
  [`accounts/${ANNA}?claim=title`, 'Anna Keller'],
  ['accounts/coralline.example', 'Coralline'],
  ['leads', 'Leads'],
  ['notes', 'Notes'],
  ['notes?q=pilot', 'Notes'],
  ['facts/conflicts', 'Facts'],
  ['facts/decaying', 'Facts'],
  ['facts/provenance', 'Facts'],
  ['merges', 'Merges'],
  ['imports', 'Imports'],
  ['integrations', 'Integrations'],
  ['integrations?open=calcom', 'Cal.com'],
  ['triggers', 'Triggers'],
  ['settings/members', 'Members'],
  ['settings/keys', 'API keys'],
  ['settings/workspace', 'Plan and quotas'],
  ['settings/scoring', 'Scoring'],
  ['settings/trust', 'Trust'],
  ['settings/audit', 'Audit log'],
  ['settings/profile', 'Your profile'],
  ['settings/sessions', 'Your sessions'],
];
