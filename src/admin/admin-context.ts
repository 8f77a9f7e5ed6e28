import type { Command } from 'commander';
import type { Env } from '#kernel/config/env.js';
import type { Database } from '#kernel/db/database.js';
import type { AdminOutput } from './output.js';

/** What every administration command works with. */
export interface AdminContext {
  readonly terminal: AdminOutput;
  /** Opens the database for the length of `work`, which is told the settings too. */
  withDatabase<T>(work: (database: Database, env: Env) => Promise<T>): Promise<T>;
}

/** Adds one or more commands below `rapport admin`, or below `rapport` itself. */
export type AddAdminCommands = (parent: Command, office: AdminContext) => void;

/** A command could not do what it was asked, for a reason that its message tells in a sentence; exit code 1. */
export class CommandError extends Error {}
