import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { TemplateType } from '@causeway/contract'
import { compileTemplate, compileTemplates, type CompiledTemplates, type TemplateSource } from '@causeway/subscription'

/** Shorter texts are read in a few thousandths of a second, sooner than a thread starts. */
const INLINE_CHARACTERS = 10_000
const PATIENCE_MS = 10_000
const MEMORY_LIMIT_MB = 128

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
  return length <= INLINE_CHARACTERS ? compileHere(type, source) : compileInThread(type, source)
}

export function compileHere(type: TemplateType, source: TemplateSource): Compiled {
  try {
    return { templates: { [type]: compileTemplate(type, source) }, problem: null }
  } catch (error) {
    return { templates: {}, problem: error instanceof Error ? error.message : String(error) }
  }
}

async function compileInThread(type: TemplateType, source: TemplateSource): Promise<Compiled> {
  const worker = new Worker(new URL('./template-compiler.worker.ts', import.meta.url), {
    workerData: { type, source },
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_LIMIT_MB },
  })
  try {
    const [compiled]: Compiled[] = await once(worker, 'message', { signal: AbortSignal.timeout(PATIENCE_MS) })
    return compiled ?? { templates: {}, problem: 'It is empty' }
  } catch {
    return { templates: {}, problem: 'It is too large or too deep' }
  } finally {
    await worker.terminate()
  }
}
