import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const TICKS_PER_SECOND = 100;
const KIB_PER_MB = 1024;

/** Processor seconds that a process has used; undefined where the system does not tell (anything but Linux). */
export function cpuSecondsOf(pid: number): number | undefined {
  const fields = read(`/proc/${pid}/stat`)
    ?.replace(/^.*\) /s, '')
    .split(' ');
  return fields && (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Resident memory of a process in MB; undefined where the system does not tell. */
export function residentMbOf(pid: number): number | undefined {
  const kib = /^VmRSS:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`) ?? '')?.[1];
  return kib === undefined ? undefined : Number(kib) / KIB_PER_MB;
}

/** A TCP port that is free now. */
export function freePort(): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const server = createServer().once('error', reject);
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
  });
  return promise;
}

/** Waits until `holds`, asked every `everyMs`. @throws Error after `limitMs`. */
export async function until(what: string, holds: () => Promise<boolean>, limitMs: number, everyMs = 20): Promise<void> {
  const end = performance.now() + limitMs;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`${what}: not within ${limitMs} ms`);
    await pause(everyMs);
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
