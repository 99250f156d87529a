import { readFile, realpath, stat } from 'node:fs/promises'
import path from 'node:path'

const MAX_BYTES = 256 * 1024
const PEM_BLOCK = /-----BEGIN (?:CERTIFICATE|(?:[A-Z]+ )*PRIVATE KEY)-----/

/**
 * A certificate or key file that a config profile names. Profiles are written by holders of API tokens and end on
 * nodes. So only well-formed files in the allowed folders are read: never the master key or any other file.
 * @throws Error with a sentence that says why a file is not read
 */
export async function readCertificateFile(file: string, folders: readonly string[]): Promise<string> {
  const real = await realpath(file)
  const allowed = await Promise.all(folders.map((folder) => realpath(folder).catch(() => undefined)))
  if (!allowed.some((folder) => folder !== undefined && real.startsWith(folder + path.sep))) {
    throw new Error(outside(file, folders))
  }
  if ((await stat(real)).size > MAX_BYTES) throw new Error(`${file} is too large for a certificate.`)
  const text = await readFile(real, 'utf8')
  if (!PEM_BLOCK.test(text)) throw new Error(`${file} holds neither a certificate nor a private key in PEM form.`)
  return text
}

/** The reason why a file is not read, for the author of a profile. It does not reveal whether a file elsewhere exists. */
export async function whyUnread(file: string, folders: readonly string[]): Promise<string | undefined> {
  try {
    await readCertificateFile(file, folders)
    return undefined
  } catch (error) {
    const isInside = folders.some((folder) => path.resolve(file).startsWith(path.resolve(folder) + path.sep))
    if (!isInside) return outside(file, folders)
    const isGone = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    return isGone ? `${file} is not there.` : error instanceof Error ? error.message : String(error)
  }
}

function outside(file: string, folders: readonly string[]): string {
  return `${file} is not in a folder of CERTIFICATE_DIRS (${folders.join(', ')}).`
}
