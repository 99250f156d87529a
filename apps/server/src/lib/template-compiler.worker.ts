import { parentPort, workerData } from 'node:worker_threads'
import type { TemplateType } from '@causeway/contract'
import type { TemplateSource } from '@causeway/subscription'
import { compileHere } from './template-compiler.ts'

const { type, source } = workerData as { type: TemplateType; source: TemplateSource } // from template-compiler.ts
parentPort?.postMessage(compileHere(type, source))
