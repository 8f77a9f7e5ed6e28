import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { stateFolder, writePrivateFile } from '../settings/config-files.js';

/** Progress of an import, as stored in its checkpoint. */
export interface ImportProgress {
  /** Number of finished batches. */
  readonly batches: number;
  readonly finished: boolean;
  readonly listId: string | null;
  readonly created: number;
  readonly matched: number;
  /** People who were in the list already. */
  readonly duplicate: number;
  readonly rejected: number;
  /** Length of the file of rejected rows, to which a partially written file is truncated. */
  readonly rejectedBytes: number;
}

/** Progress before the first batch. */
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

/** Identity of an import: the file, its mapping and its destination. */
export interface ImportIdentity {
  readonly fileHash: string;
  readonly mapping: object;
  readonly list: string;
  readonly source: string;
  readonly batchSize: number;
}

/** Derives the name of an import from its identity with SHA-256. */
export function buildCheckpointName(identity: ImportIdentity): string {
  const { fileHash, mapping, list, source, batchSize } = identity;
  const rest = createHash('sha256')
    .update(JSON.stringify([mapping, list, source, batchSize]))
    .digest('hex');
  return `import-${fileHash.slice(0, 32)}-${rest.slice(0, 16)}`;
}

/** The checkpoint file of an import, separate for each hub and key. */
export class CheckpointFile {
  private readonly file: string;

  constructor(
    env: Readonly<Record<string, string | undefined>>,
    name: string,
    hub: { baseUrl: string; apiKey?: string },
  ) {
    const where = createHash('sha256').update(`${hub.baseUrl} ${hub.apiKey}`).digest('hex').slice(0, 16);
    this.file = path.join(stateFolder(env), 'imports', `${name}-${where}.json`);
  }

  /** Reads the progress; the initial progress if there is no valid file. */
  async read(): Promise<ImportProgress> {
    try {
      return { ...INITIAL_PROGRESS, ...(JSON.parse(await readFile(this.file, 'utf8')) as ImportProgress) };
    } catch {
      return INITIAL_PROGRESS;
    }
  }

  /** Saves the progress. */
  write(progress: ImportProgress): Promise<void> {
    return writePrivateFile(this.file, `${JSON.stringify(progress)}\n`);
  }
}
