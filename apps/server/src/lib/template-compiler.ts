import { fork } from 'node:child_process'
import type { TemplateType } from '@causeway/contract'
import { compileTemplate, compileTemplates, type CompiledTemplates, type TemplateSource } from '@causeway/subscription'

/** Shorter texts are read in a few thousandths of a second, sooner than a process starts. */
const INLINE_CHARACTERS = 10_000
const PATIENCE_MS = 20_000
const MEMORY_LIMIT_MB = 256

/** `problem` says why a template cannot be used; nothing is compiled then. */
export interface Compiled {
  templates: Partial<CompiledTemplates>
  problem: string | null
}

type Typed = TemplateSource & { templateType: TemplateType }
export type Compile = (sources: readonly Typed[]) => Promise<CompiledTemplates>

/** Compiles templates anew only when their own content has changed, whatever else did. */
export function rememberCompiled(): Compile {
  const remembered = new Map<TemplateType, { key: string; compiled: Promise<Compiled> }>()
  return async (sources) => {
    const compiled = sources.map(({ templateType, templateYaml, templateJson }) => {
      const key = templateYaml ?? JSON.stringify(templateJson)
      const known = remembered.get(templateType)
      if (known?.key === key) return known.compiled
      const fresh = compileApart(templateType, { templateYaml, templateJson })
      remembered.set(templateType, { key, compiled: fresh })
      return fresh
    })
    const templates = (await Promise.all(compiled)).map((each) => each.templates)
    return Object.assign(compileTemplates({}), ...templates)
  }
}

/** Compiles a template beside the requests that are being answered. */
export async function compileApart(type: TemplateType, source: TemplateSource): Promise<Compiled> {
  const length = source.templateYaml?.length ?? JSON.stringify(source.templateJson)?.length ?? 0
  return length <= INLINE_CHARACTERS ? compileHere(type, source) : compileInProcess(type, source)
}

export function compileHere(type: TemplateType, source: TemplateSource): Compiled {
  try {
    return { templates: { [type]: compileTemplate(type, source) }, problem: null }
  } catch (error) {
    return { templates: {}, problem: error instanceof Error ? error.message : String(error) }
  }
}

/** Not in a thread: one that asks for much at once when its memory is used up takes the whole server with it. */
async function compileInProcess(type: TemplateType, source: TemplateSource): Promise<Compiled> {
  const child = fork(new URL('./template-compiler.process.ts', import.meta.url), {
    execArgv: ['--disable-warning=ExperimentalWarning', `--max-old-space-size=${MEMORY_LIMIT_MB}`],
    env: {}, // it needs none of the server's secrets
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    timeout: PATIENCE_MS,
    killSignal: 'SIGKILL',
  })
  const { promise, resolve } = Promise.withResolvers<Compiled>()
  const refuse = () => resolve({ templates: {}, problem: 'It is too large or too deep' })
  child.once('message', (compiled) => resolve(compiled as Compiled)) // from template-compiler.process.ts
  child.on('error', refuse) // a process that could not be started says so of each step
  child.once('exit', refuse)
  child.send({ type, source })
  return promise
}
