import path from 'node:path';

/** Paths of the embedded database in DATA_DIR, all absolute. */
export interface Layout {
  /** DATA_DIR itself. */
  readonly dataDir: string;
  /** The PostgreSQL cluster, owned by the account of the server, mode 0700. */
  readonly cluster: string;
  /** File with the password of the database's owner, mode 0600. */
  readonly password: string;
  /** Lock file; always empty, only the operating system's lock on it matters. */
  readonly lock: string;
  /** File that describes the owner of the lock as JSON, for the error message of a second start. */
  readonly lockOwner: string;
  /** Log of the server's stderr, mode 0600. */
  readonly log: string;
}

/** Returns the paths below a data folder, which may be relative to the working directory. */
export function resolveLayout(dataDir: string): Layout {
  const root = path.resolve(dataDir);
  return {
    dataDir: root,
    cluster: path.join(root, 'postgres'),
    password: path.join(root, 'postgres.password'),
    lock: path.join(root, 'postgres.lock'),
    lockOwner: path.join(root, 'postgres.owner.json'),
    log: path.join(root, 'postgres.log'),
  };
}
