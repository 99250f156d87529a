// node scripts/text-types.ts: writes the types of the dashboard's texts from the English files, so that every t('…') is checked.
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '..')
const target = path.join(root, 'apps/dashboard/src/lib/i18next.d.ts')

/** What the file should hold. */
export function textTypes(): string {
  const words = globSync('*.json', { cwd: path.join(root, 'apps/dashboard/public/locales/en') })
    .map((file) => path.basename(file, '.json'))
    .sort()
  const nameOf = (word: string) => word.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
  return `// Made by scripts/text-types.ts from public/locales/en; checks every t('…') against the English texts.
${words.map((word) => `import type ${nameOf(word)} from '../../public/locales/en/${word}.json'`).join('\n')}

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'shell'
    resources: {
${words.map((word) => `      ${word.includes('-') ? `'${word}'` : word}: typeof ${nameOf(word)}`).join('\n')}
    }
  }
}
`
}

export function writtenTextTypes(): string {
  return readFileSync(target, 'utf8')
}

if (import.meta.main) writeFileSync(target, textTypes())
