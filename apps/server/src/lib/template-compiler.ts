import { fork } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TemplateType } from '@causeway/contract'
import {
  compileTemplate,
  compileTemplates,
  sizeProblem,
  type CompiledTemplates,
  type TemplateSource,
  type TrialServers,
} from '@causeway/subscription'
import { Slots } from './slots.ts'

/** Shorter texts are read in a few thousandths of a second, sooner than a process starts. */
const INLINE_CHARACTERS = 10_000
const PATIENCE_MS = 20_000
const MEMORY_LIMIT_MB = 256
/** Each process takes 55 MB before it has read anything, and any reader of subscriptions can ask for six. */
const AT_ONCE = 2
const asked = new Slots(AT_ONCE)
/** Stored templates do not queue behind requested ones: subscriptions wait for them. */
const stored = new Slots(AT_ONCE)

/** `problem` says why a template cannot be used; nothing is compiled then. */
export interface Compiled {
  templates: Partial<CompiledTemplates>
  problem: string | null
  /** The process ended before it answered, which may be the machine's fault and not the template's. */
  isUnsure?: boolean
}

type Typed = TemplateSource & { uuid: string; templateType: TemplateType; isDefault: boolean }

/** Every template compiled, by uuid. Each holds its own type only; one that cannot be used holds nothing. */
export type TemplateLibrary = ReadonlyMap<string, Partial<CompiledTemplates>>

export interface CompiledLibrary {
  /** The default of each type. */
  templates: CompiledTemplates
  library: TemplateLibrary
}
export type Compile = (sources: readonly Typed[]) => Promise<CompiledLibrary>

const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 300_000

/**
 * Compiles templates again only when their own content has changed. A template that failed to compile through no
 * fault of its own keeps its previous form. It is retried, and `onLater` runs on success.
 */
export function rememberCompiled(onLater: () => void = () => {}): Compile {
  const remembered = new Map<string, { key: string; compiled: Promise<Compiled> }>()
  /** Runs in the background: callers get the remembered form. */
  const tryAgain = async (key: string, source: Typed, pauseMs: number): Promise<void> => {
    await sleep(pauseMs, undefined, { ref: false })
    const { uuid, templateType } = source
    if (remembered.get(uuid)?.key !== key) return
    const made = await compileApart(templateType, source, { slots: stored })
    if (made.isUnsure) return tryAgain(key, source, Math.min(pauseMs * 2, LONGEST_PAUSE_MS))
    if (remembered.get(uuid)?.key !== key) return
    remembered.set(uuid, { key, compiled: Promise.resolve(made) })
    onLater()
  }
  const remember = (key: string, source: Typed): Promise<Compiled> => {
    const before = remembered.get(source.uuid)
    const compiled = compileApart(source.templateType, source, { slots: stored }).then((made) => {
      if (!made.isUnsure) return made
      void tryAgain(key, source, FIRST_PAUSE_MS)
      return before?.compiled ?? made
    })
    remembered.set(source.uuid, { key, compiled })
    return compiled
  }
  return async (sources) => {
    const compiled = sources.map((source) => {
      const key = source.templateYaml ?? JSON.stringify(source.templateJson)
      const known = remembered.get(source.uuid)
      return known?.key === key ? known.compiled : remember(key, source)
    })
    const present = new Set(sources.map(({ uuid }) => uuid))
    for (const uuid of remembered.keys()) if (!present.has(uuid)) remembered.delete(uuid)
    const made = (await Promise.all(compiled)).map((each) => each.templates)
    const defaults = made.filter((_, place) => sources[place]?.isDefault)
    return {
      templates: Object.assign(compileTemplates({}), ...defaults),
      library: new Map(sources.map(({ uuid }, place) => [uuid, made[place] ?? {}])),
    }
  }
}

interface Apart {
  slots?: Slots
  /** Refuses a template that would make too much of so many servers. Stored ones have passed. */
  trial?: TrialServers | undefined
}

/** Compiles a template beside the requests that are being answered. */
export async function compileApart(type: TemplateType, source: TemplateSource, apart: Apart = {}): Promise<Compiled> {
  const { slots = asked, trial } = apart
  const length = source.templateYaml?.length ?? JSON.stringify(source.templateJson)?.length ?? 0
  return length <= INLINE_CHARACTERS ? compileHere(type, source, trial) : slots.run(() => compileInProcess(type, source, trial))
}

export function compileHere(type: TemplateType, source: TemplateSource, trial?: TrialServers): Compiled {
  try {
    const template = compileTemplate(type, source)
    const problem = trial && sizeProblem(type, template, trial)
    return problem === undefined ? { templates: { [type]: template }, problem: null } : { templates: {}, problem }
  } catch (error) {
    return { templates: {}, problem: error instanceof Error ? error.message : String(error) }
  }
}

/** Not in a thread: one that asks for much at once when its memory is used up takes the whole server with it. */
async function compileInProcess(type: TemplateType, source: TemplateSource, trial?: TrialServers): Promise<Compiled> {
  const child = fork(new URL('./template-compiler.process.ts', import.meta.url), {
    execArgv: ['--disable-warning=ExperimentalWarning', `--max-old-space-size=${MEMORY_LIMIT_MB}`],
    env: {}, // it needs none of the server's secrets
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    timeout: PATIENCE_MS,
    killSignal: 'SIGKILL',
  })
  const { promise, resolve } = Promise.withResolvers<Compiled>()
  const refuse = () => resolve({ templates: {}, problem: 'It is too large or too deep', isUnsure: true })
  child.once('message', (compiled) => resolve(compiled as Compiled)) // from template-compiler.process.ts
  child.on('error', refuse) // a process that could not be started says so of each step
  child.once('exit', refuse)
  child.send({ type, source, trial })
  return promise
}
