/**
 * The server's settings, given on the command line so that no file can weaken them.
 * Durability is never traded for speed; what an embedded server does not need (sockets, replication, JIT,
 * extra worker processes) is off, so that it stays light when idle.
 * @param durable false for a server that is thrown away at its end: a crash of the machine may ruin it, and many hubs
 * may use it.
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

/** Settings as the arguments that `postgres` and `initdb` take. */
export function toArguments(settings: Readonly<Record<string, string>>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/**
 * Environment of the server. The C library of most Linux systems gives memory back as soon as 128 kB of it are free, so
 * that each statement of a batch would be given new pages, which the kernel clears first: to clear them alone took 2 % of
 * both processors at 64 connections. It keeps up to 4 MB a session; other systems do not read this.
 */
export const SERVER_ENVIRONMENT = { MALLOC_TRIM_THRESHOLD_: String(4 << 20), MALLOC_MMAP_THRESHOLD_: String(4 << 20) };

const DURABLE_SETTINGS = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' };

// Such a server has the hubs of a whole run of tests on it at once.
const THROWAWAY_SETTINGS = { fsync: 'off', full_page_writes: 'off', max_connections: '300' };

// The buffers are what is used most of some ten thousand people; memory is taken as they fill. With 64 MB each call that
// records wrote one page and read another. After a checkpoint each page is logged whole once: with the default of 1 GB
// that came every half minute under load. A crash costs about three seconds of start for each GB that is replayed.
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

// Neither the text of statements nor the values in "DETAIL" may reach the log: both hold people's data.
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
