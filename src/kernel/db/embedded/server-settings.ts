/**
 * Builds the server's settings, passed on the command line so that no file can weaken them. Durability is never
 * traded for speed; features that an embedded server does not need (sockets, replication, JIT, extra worker
 * processes) are off, so that it uses few resources when idle.
 * @param durable false for a throwaway server: a crash of the machine may corrupt it, and many hubs may use it.
 */
export function buildServerSettings(port: number, durable: boolean): Record<string, string> {
  return {
    ...RESOURCE_SETTINGS,
    ...(durable ? DURABLE_SETTINGS : THROWAWAY_SETTINGS),
    ...LOG_SETTINGS,
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    timezone: 'UTC',
    cluster_name: 'rapport',
  };
}

/** Converts settings to arguments of `postgres` and `initdb`. */
export function toArguments(settings: Readonly<Record<string, string>>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/**
 * Environment of the server. The C library of most Linux systems returns memory as soon as 128 kB of it are free, so
 * that each statement of a batch would get new pages that the kernel clears first: clearing them took 2 % of both
 * processors at 64 connections. With these values it keeps up to 4 MB for each session; other systems ignore them.
 */
export const SERVER_ENVIRONMENT = { MALLOC_TRIM_THRESHOLD_: String(4 << 20), MALLOC_MMAP_THRESHOLD_: String(4 << 20) };

const DURABLE_SETTINGS = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' };

// A throwaway server serves the hubs of a whole test run at once.
const THROWAWAY_SETTINGS = { fsync: 'off', full_page_writes: 'off', max_connections: '300' };

// The buffers hold the working set of about ten thousand people; memory is allocated as they fill. With 64 MB each
// recording call wrote one page and read another. After a checkpoint each page is logged in full once: with the
// default max_wal_size of 1 GB that happened every half minute under load. After a crash, each GB of WAL takes about
// three seconds to replay.
const RESOURCE_SETTINGS = {
  max_connections: '100',
  shared_buffers: '256MB',
  max_wal_size: '2GB',
  huge_pages: 'off',
  io_method: 'sync',
  jit: 'off',
  max_worker_processes: '4',
  max_parallel_workers: '2',
  max_logical_replication_workers: '0',
  max_wal_senders: '0',
  wal_level: 'minimal',
};

// Neither the text of statements nor the values in "DETAIL" may reach the log: both contain personal data.
const LOG_SETTINGS = {
  log_destination: 'stderr',
  logging_collector: 'off',
  log_timezone: 'UTC',
  log_line_prefix: '%m [%p] ',
  log_min_messages: 'warning',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
  lc_messages: 'C',
};
