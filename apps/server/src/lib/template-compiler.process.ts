import type { TemplateType } from '@causeway/contract'
import type { TemplateSource } from '@causeway/subscription'
import { compileHere } from './template-compiler.ts'

process.once('message', (asked) => {
  const { type, source } = asked as { type: TemplateType; source: TemplateSource } // from template-compiler.ts
  process.send?.(compileHere(type, source), () => process.disconnect())
})
