import type { Command } from 'commander';
import type { Env } from '#kernel/config/env.js';
import type { Database } from '#kernel/db/database.js';
import type { AdminOutput } from './output.js';

/** The output and the database of admin commands. */
export interface AdminContext {
  readonly terminal: AdminOutput;
  /**
   * Opens the database while `work` runs, and passes it the settings too.
   * @param overrides settings that differ from those of the environment
   */
  withDatabase<T>(work: (database: Database, env: Env) => Promise<T>, overrides?: Partial<Env>): Promise<T>;
  /** Passes `work` the URL of the database server as it is, whatever schema it has, and the settings. */
  withServer<T>(work: (url: string, env: Env) => Promise<T>): Promise<T>;
}

/** Adds one or more commands below `rapport admin`, or below `rapport` itself. */
export type AddAdminCommands = (parent: Command, context: AdminContext) => void;

/** A command failed; the message says why in a sentence. Exit code 1. */
export class CommandError extends Error {}
