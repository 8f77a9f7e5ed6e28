import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { stateFolder } from '../settings/paths.js';
import { writePrivateFile } from '../settings/private-file.js';

/** How far an import has come. */
export interface ImportProgress {
  /** Batches that the hub has answered. */
  readonly batches: number;
  readonly finished: boolean;
  readonly listId: string | null;
  readonly created: number;
  readonly matched: number;
  /** People who stood in the list already. */
  readonly duplicate: number;
  readonly rejected: number;
  /** Length of the file of rejected rows, so that a torn one is cut back. */
  readonly rejectedBytes: number;
}

/** Nothing is done yet. */
export const INITIAL_PROGRESS: ImportProgress = {
  batches: 0,
  finished: false,
  listId: null,
  created: 0,
  matched: 0,
  duplicate: 0,
  rejected: 0,
  rejectedBytes: 0,
};

/** What makes an import the same one: the file, what is made of it, and where it goes. */
export interface ImportIdentity {
  readonly fileHash: string;
  readonly mapping: object;
  readonly list: string;
  readonly source: string;
  readonly batchSize: number;
}

/** A name for an import: the same each time, and another one for anything else. */
export function buildCheckpointName(identity: ImportIdentity): string {
  const { fileHash, mapping, list, source, batchSize } = identity;
  const rest = createHash('sha256')
    .update(JSON.stringify([mapping, list, source, batchSize]))
    .digest('hex');
  return `import-${fileHash.slice(0, 32)}-${rest.slice(0, 16)}`;
}

/** The notes that an import takes of itself, for each hub and key. */
export class CheckpointFile {
  private readonly file: string;

  constructor(
    env: Readonly<Record<string, string | undefined>>,
    name: string,
    place: { baseUrl: string; apiKey?: string },
  ) {
    const where = createHash('sha256').update(`${place.baseUrl} ${place.apiKey}`).digest('hex').slice(0, 16);
    this.file = path.join(stateFolder(env), 'imports', `${name}-${where}.json`);
  }

  /** Where the import was left. */
  async read(): Promise<ImportProgress> {
    try {
      return { ...INITIAL_PROGRESS, ...(JSON.parse(await readFile(this.file, 'utf8')) as ImportProgress) };
    } catch {
      return INITIAL_PROGRESS;
    }
  }

  /** Notes how far it has come. */
  write(progress: ImportProgress): Promise<void> {
    return writePrivateFile(this.file, `${JSON.stringify(progress)}\n`);
  }
}
