import type { Plugin } from 'vite'

/** Modules of zod that write JSON Schema, which the dashboard never asks for. Every schema names them, so they are not left out by themselves. */
const MODULES = /\/zod\/v4\/core\/(json-schema-processors|to-json-schema)\.js$/
const EXPORT = /^export (?:function|const|async function) (\w+)|^export \{ \w+ as (\w+) \}/gm
const EXPECTED = 2

/** Empties them: they were four of the 150 kB of code before signing in. */
export function noJsonSchema(): Plugin {
  const emptied = new Set<string>()
  return {
    name: 'no-json-schema',
    apply: 'build',
    transform(code, id) {
      if (!MODULES.test(id)) return null
      emptied.add(id)
      const names = [...code.matchAll(EXPORT)].map(([, declared, renamed]) => declared ?? renamed)
      const exported = names.map((name) => `nothing as ${name}`).join(', ')
      return { code: `const nothing = () => undefined\nexport { ${exported} }\n`, map: null }
    },
    buildEnd(error) {
      if (!error && emptied.size !== EXPECTED)
        throw new Error('zod writes JSON Schema in other modules than it did: see no-json-schema.ts')
    },
  }
}
