import { randomBytes } from 'node:crypto';
import { chown, mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { execProgram } from './child-process.js';
import type { ProgramResult } from './child-process.js';
import { toClusterArgument } from './cluster-argument.js';
import type { ClusterContext } from './cluster-context.js';
import { listNames, syncFolder } from './files.js';
import { createPassword, openPasswordFile } from './password.js';
import { findCause } from './server-log.js';

/** The superuser of the embedded cluster. */
export const SUPERUSER = 'rapport';

// This locale only decides what counts as a letter; order and case use PostgreSQL's builtin C.UTF-8 everywhere.
const CTYPE_CANDIDATES = process.platform === 'darwin' ? ['en_US.UTF-8', 'C'] : ['C.UTF-8', 'C'];

/**
 * Creates the cluster and returns its superuser's password. It is created in a draft folder and renamed when
 * complete, so a start that is killed leaves nothing that the next start could mistake for a database.
 * @throws Error with a sentence that contains the reason of initdb.
 */
export async function createCluster(context: ClusterContext): Promise<string> {
  const { layout, log } = context;
  log(`Creating the database in ${layout.cluster}`);
  await removeDrafts(context);
  const password = await createPassword(layout);
  const draft = `${layout.cluster}.new-${randomBytes(6).toString('hex')}`;
  try {
    await initializeDraft(context, draft, password);
    await rename(draft, layout.cluster);
  } finally {
    await removeDraft(draft);
  }
  await syncFolder(layout.dataDir);
  return password;
}

async function removeDrafts({ layout }: ClusterContext): Promise<void> {
  const prefix = `${path.basename(layout.cluster)}.new-`;
  const drafts = (await listNames(layout.dataDir)).filter(name => name.startsWith(prefix));
  await Promise.all(drafts.map(name => removeDraft(path.join(layout.dataDir, name))));
}

// An initdb whose parent was killed may still write there. It does no harm and must not prevent a start.
async function removeDraft(draft: string): Promise<void> {
  await rm(draft, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined);
}

async function initializeDraft(context: ClusterContext, draft: string, password: string): Promise<void> {
  await mkdir(draft, { mode: 0o700 });
  if (context.user) await chown(draft, context.user.uid, context.user.gid);
  let outcome: ProgramResult = { code: null, output: '' };
  for (const ctype of CTYPE_CANDIDATES) {
    outcome = await initdb(context, draft, password, ctype);
    if (outcome.code === 0) return;
    if (!outcome.output.includes('invalid locale')) break;
  }
  throw new Error(
    `The database cannot be created in ${context.layout.cluster} (${findCause(outcome.output)}): ` +
      'set DATA_DIR to a folder on a local disk, or set DATABASE_URL to a PostgreSQL server.',
  );
}

async function initdb(
  { layout, binaries, user, onWaiting }: ClusterContext,
  draft: string,
  password: string,
  ctype: string,
): Promise<ProgramResult> {
  const secret = await openPasswordFile(layout, password, user);
  const passwordFile = process.platform === 'win32' ? layout.password : '/dev/stdin';
  const args = [
    `--pgdata=${toClusterArgument(draft, user)}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    `--lc-ctype=${ctype}`,
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--text-search-config=english',
    '--no-instructions',
  ];
  const running = execProgram(binaries.initdb, args, { user, cwd: draft, stdin: secret.fd });
  onWaiting();
  return running.finally(() => secret.close());
}
