import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'

export const conformanceFolder = path.resolve(import.meta.dirname, '../../../../packages/wire-conformance')

export type Shape =
  | { kind: 'object'; fields: Record<string, Shape> }
  | { kind: 'array'; item: Shape }
  | { kind: 'record'; value: Shape }
  | { kind: 'value' }
export type Part = 'params' | 'query' | 'body' | 'response'
export type Verdict = boolean | 'throws'

const shape: z.ZodType<Shape> = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('object'), fields: z.record(z.string(), shape) }),
    z.object({ kind: z.literal('array'), item: shape }),
    z.object({ kind: z.literal('record'), value: shape }),
    z.object({ kind: z.literal('value') }),
  ]),
)
const routes = z.array(
  z.object({
    operation: z.string(),
    method: z.string(),
    path: z.string(),
    parts: z.object({ params: shape, query: shape, body: shape, response: shape }).partial(),
  }),
)
const catalogue = z.array(z.object({ key: z.string(), code: z.string(), status: z.number(), message: z.string().nullable() }))
const complaint = z.string().nullable()
const verdicts = z.array(z.union([z.boolean(), z.literal('throws')]))

/** Packages of the contract by version, as packages/wire-conformance names them. */
export type PublishedPackage = '@remnawave/backend-contract' | 'contract-2.6' | 'contract-2.7' | 'contract-3.4'

/** The published contract of the wire, asked in a process of its own. */
export function startPublishedContract(name: PublishedPackage = '@remnawave/backend-contract') {
  install()
  const child = spawn(process.execPath, ['serve.mjs', name], { cwd: conformanceFolder, stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  async function ask(question: object): Promise<unknown> {
    child.stdin.write(JSON.stringify(question) + '\n')
    const { value, done } = await lines.next()
    if (done)
      throw new Error(`packages/wire-conformance/serve.mjs ended without answering ${JSON.stringify(question).slice(0, 200)}`)
    return JSON.parse(value)
  }
  return {
    routes: async () => routes.parse(await ask({ ask: 'routes' })),
    errors: async () => catalogue.parse(await ask({ ask: 'errors' })),
    accepts: async (operation: string, part: Part, samples: unknown[]) =>
      verdicts.parse(await ask({ ask: 'accepts', operation, part, samples })),
    complaint: async (operation: string, reply: unknown) => complaint.parse(await ask({ ask: 'complaint', operation, reply })),
    stop: () => child.stdin.end(),
  }
}

/** Installs the package when its lock file changed. Only tests do so: no other command ever fetches it. */
function install() {
  const wanted = createHash('sha256')
    .update(readFileSync(path.join(conformanceFolder, 'package-lock.json')))
    .digest('hex')
  const stampFile = path.join(conformanceFolder, 'node_modules/.install-stamp')
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted) return
  const npm = process.env['npm_execpath'] ? [process.execPath, process.env['npm_execpath']] : ['npm']
  const flags = ['ci', '--workspaces=false', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const [command = 'npm', ...args] = [...npm, ...flags]
  const { status, stderr } = spawnSync(command, args, { cwd: conformanceFolder, encoding: 'utf8' })
  if (status !== 0) throw new Error(`The published contract could not be installed in packages/wire-conformance: ${stderr}`)
  writeFileSync(stampFile, wanted)
}

/** Vitest's global set-up: once for a whole run, as two test files installing into one folder would undo each other's work. */
export function setup(): void {
  try {
    install()
  } catch (error) {
    // Without the network all other tests can still run; those of the wire try again and fail with npm's words.
    console.warn(error instanceof Error ? error.message : error)
  }
}
