import type { TemplateType } from '@causeway/contract'
import type { TemplateSource, TrialServers } from '@causeway/subscription'
import { compileHere } from './template-compiler.ts'

process.once('message', (asked) => {
  const { type, source, trial } = asked as { type: TemplateType; source: TemplateSource; trial?: TrialServers } // from template-compiler.ts
  process.send?.(compileHere(type, source, trial), () => process.disconnect())
})
