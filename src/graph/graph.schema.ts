import { GraphMigration } from './migrations/graph.migration.js';

/** Migrations of the graph, in the order they run. */
export const graphMigrations = [GraphMigration];
