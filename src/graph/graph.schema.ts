import { AttentionMigration } from './migrations/attention.migration.js';
import { CompanyNamesMigration } from './migrations/company-names.migration.js';
import { FactsMigration } from './migrations/facts.migration.js';
import { GraphMigration } from './migrations/graph.migration.js';
import { IdentityMigration } from './migrations/identity.migration.js';
import { LeadsMigration } from './migrations/leads.migration.js';
import { ListsMigration } from './migrations/lists.migration.js';
import { LogMigration } from './migrations/log.migration.js';
import { LookupsMigration } from './migrations/lookups.migration.js';
import { NamesMigration } from './migrations/names.migration.js';
import { OpaqueStatesMigration } from './migrations/opaque-states.migration.js';
import { ScalesMigration } from './migrations/scales.migration.js';
import { TrustMigration } from './migrations/trust.migration.js';
import { NotesMigration } from './migrations/notes.migration.js';
import { QueryMigration } from './migrations/query.migration.js';

/** Migrations of the graph, in the order they run. */
export const graphMigrations = [
  GraphMigration,
  IdentityMigration,
  LeadsMigration,
  ListsMigration,
  FactsMigration,
  NotesMigration,
  QueryMigration,
  AttentionMigration,
  TrustMigration,
  ScalesMigration,
  LookupsMigration,
  LogMigration,
  OpaqueStatesMigration,
  NamesMigration,
  CompanyNamesMigration,
];
