import os from 'node:os'

const MIB = 2 ** 20

/** As in postgresql.conf, of every cluster. */
export const SETTINGS = {
  listen_addresses: '',
  // The kernel caches the same pages and gives them back on demand. A quarter of a database of a million users took
  // 840 MB and made nothing quicker; half as much doubled the cost of writes (decision 035).
  shared_buffers: '128MB',
  effective_cache_size: `${Math.round(Math.min(65_536, Math.max(256, os.totalmem() / MIB / 2)))}MB`,
  work_mem: '16MB',
  max_connections: '200',
  max_wal_size: '2GB',
  random_page_cost: '1.1',
  effective_io_concurrency: '64',
  jit: 'off',
  recovery_init_sync_method: syncMethod(os.release()),
  // Nothing is replicated from here; its launcher would be a process for nothing.
  max_logical_replication_workers: '0',
  // Errors of statements come to us and are logged by us; their texts quote what people have stored.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_file_mode: '0600',
  log_line_prefix: '%m [%p] ',
}

/**
 * Before the recovery of a killed database its writes must be on disk. One sync of the file system takes a second
 * where one per file takes seven. Kernels before 5.8 do not report its failure.
 */
export function syncMethod(kernelRelease: string): string {
  const [major = 0, minor = 0] = kernelRelease.split('.').map(Number)
  return major > 5 || (major === 5 && minor >= 8) ? 'syncfs' : 'fsync'
}
