import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { Command } from 'commander'
import { ROOT } from '../lib/product.ts'
import { verifyFile } from '../lib/signature.ts'

/** The key of the releases that this one was made with. */
export const OWN_KEY = path.join(ROOT, 'release.pub')

/** `causeway verify <file>`: refuses a release file that is not what its makers signed. */
export function verifyCommand(): Command {
  return new Command('verify')
    .description('hold a release file against its signature, which lies beside it as <file>.minisig')
    .argument('<file>', 'the release file')
    .option('--key <file>', 'public key of its makers, instead of the one this release carries')
    .option('--json', 'print the outcome as JSON')
    .action(async (file: string, { key = OWN_KEY, json: isJson = false }: { key?: string; json?: boolean }) => {
      const sentence = await verifyRelease(file, key)
      console.log(isJson ? JSON.stringify({ isVerified: true, sentence }) : sentence)
    })
}

/** @throws Error with a sentence when the file must not be trusted */
export async function verifyRelease(file: string, key: string): Promise<string> {
  const at = (name: string) => path.resolve(process.env['CAUSEWAY_CWD'] ?? '.', name)
  for (const [name, what] of [
    [at(file), 'file'],
    [`${at(file)}.minisig`, 'signature'],
    [at(key), 'key'],
  ] as const)
    if (!existsSync(name)) throw new Error(`There is no ${what} ${name}.`)
  const comment = await verifyFile(at(file), readFileSync(`${at(file)}.minisig`, 'utf8'), readFileSync(at(key), 'utf8'))
  return `${path.basename(file)} is what was signed: ${comment}`
}
