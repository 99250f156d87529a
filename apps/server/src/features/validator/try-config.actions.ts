import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { Slots } from '../../lib/slots.ts'
import { engineFiles } from './engine.actions.ts'

/** Starting the module takes a second or two on a small machine. */
const PATIENCE_MS = 60_000

/** It takes a processor and a hundred megabytes for that time. */
const turns = new Slots(1)

/** Whether this server has Xray at hand to try a configuration with. */
export async function hasEngine(engineDir: string): Promise<boolean> {
  return (await engineFiles(engineDir).find()) !== undefined
}

/** Xray's verdict on a configuration: the reason why it would not start, or null; undefined without an engine or an answer. */
export async function tryConfig(engineDir: string, text: string): Promise<string | null | undefined> {
  return (await hasEngine(engineDir)) ? turns.run(() => tryInThread(engineDir, text)) : undefined
}

async function tryInThread(engineDir: string, text: string): Promise<string | null | undefined> {
  const worker = new Worker(new URL('./try-config.worker.ts', import.meta.url), { workerData: { engineDir, text } })
  try {
    const [problem]: (string | null)[] = await once(worker, 'message', { signal: AbortSignal.timeout(PATIENCE_MS) })
    return problem
  } catch {
    return undefined
  } finally {
    await worker.terminate()
  }
}
