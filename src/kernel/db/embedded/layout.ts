import path from 'node:path';

/** Where the embedded database keeps what in DATA_DIR; every path is absolute. */
export interface Layout {
  /** DATA_DIR itself. */
  readonly dataDir: string;
  /** The PostgreSQL cluster, owned by the account that the server runs under, mode 0700. */
  readonly cluster: string;
  /** The superuser's password, mode 0600. */
  readonly password: string;
  /** Always empty; only the operating system's lock on it matters. */
  readonly lock: string;
  /** Who holds the lock, as JSON, for the sentence that a second start prints. */
  readonly lockOwner: string;
  /** What the server writes to stderr, mode 0600. */
  readonly log: string;
}

/** Paths below a data folder, which may be given relative to the working directory. */
export function resolveLayout(dataDir: string): Layout {
  const root = path.resolve(dataDir);
  return {
    dataDir: root,
    cluster: path.join(root, 'postgres'),
    password: path.join(root, 'postgres.password'),
    lock: path.join(root, 'postgres.lock'),
    lockOwner: path.join(root, 'postgres.holder.json'),
    log: path.join(root, 'postgres.log'),
  };
}
