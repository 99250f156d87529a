import path from 'node:path'
import { Command } from 'commander'
import { compressTo, writeArchiveFile } from '../archive/archive-file.ts'
import { megabytes } from '../backup/backup.ts'
import { readConfig } from '../config.ts'
import { CLEAR_LINE, keepHeapSmall, rowsLine, stoppedBySignals } from './long-work.ts'

/** `causeway export <file>`: everything this installation has, as an archive that other versions and databases can read. */
export function exportCommand(): Command {
  return new Command('export')
    .description('write all of this installation as an archive, which causeway import reads elsewhere')
    .argument('<file>', 'the file to make, such as causeway.jsonl.zst; - writes to standard output')
    .option('--json', 'print the outcome as JSON')
    .action(exportTo)
}

async function exportTo(file: string, { json: isJson = false }: { json?: boolean }): Promise<void> {
  const isPiped = file === '-'
  // Messages must not stand in the archive.
  const out = isPiped ? process.stderr : process.stdout
  const isShown = out.isTTY && !isJson
  const begun = performance.now()
  const target = path.resolve(process.env['CAUSEWAY_CWD'] ?? '.', file)
  keepHeapSmall()
  // Read only now, as other subcommands need none of it.
  const { exportInstallation } = await import('../features/archives/archives.actions.ts')
  let bytes: number | null = null
  try {
    const { takenAt, ...exported } = await exportInstallation(readConfig(), {
      write: async (text) => {
        if (isPiped) await compressTo(text, process.stdout)
        else bytes = await writeArchiveFile(target, text)
      },
      signal: stoppedBySignals('Stopped. Nothing of the archive is kept.'),
      ...(isShown ? { onProgress: rowsLine(out) } : {}),
    })
    const seconds = (performance.now() - begun) / 1000
    if (isShown) out.write(CLEAR_LINE)
    const { rows, users } = exported
    const size = bytes === null ? '' : `${megabytes(bytes)}, `
    out.write(
      isJson
        ? `${JSON.stringify({ file: isPiped ? null : target, bytes, takenAt, ...exported, seconds })}\n`
        : `Exported to ${isPiped ? 'standard output' : target}: ${size}${users.toLocaleString('en')} users in ${rows.toLocaleString('en')} rows, in ${seconds.toFixed(1)} s, with everything until ${takenAt.toISOString().slice(0, 19).replace('T', ' ')} UTC. It holds every key of the installation: keep it as secret as the server.\n`,
    )
  } catch (error) {
    if (isShown) out.write(CLEAR_LINE)
    throw error
  }
}
