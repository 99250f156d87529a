interface Installation {
  hasOwnDatabase: boolean
  dataDir: string
  backupDir: string
  /** The Node and the program that this server runs. */
  node: string
  program: string
}

const NIGHTLY = '30 4 * * *'

/** The line for crontab that makes a backup every night. cron takes % for the end of a line. */
export function cronLine({ hasOwnDatabase, dataDir, backupDir, node, program }: Installation): string {
  if (hasOwnDatabase) return `${NIGHTLY} pg_dump --format=custom --file=/var/backups/causeway-$(date +\\%F).dump "DATABASE_URL"`
  const words = [`DATA_DIR=${quoted(dataDir)}`, `BACKUP_DIR=${quoted(backupDir)}`, quoted(node), quoted(program), 'backup']
  return `${NIGHTLY} ${words.join(' ').replaceAll('%', '\\%')} > /dev/null`
}

function quoted(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
