import type { Snippets } from '@causeway/xray'
import { useMemo } from 'react'
import type { CodeSchema } from '../../../ui/editor/code-editor-parts.ts'

/** The words of a configuration with the names of snippets at their places. */
export function useSchemaWithSnippets(schema: CodeSchema | undefined, snippets: Snippets | undefined): CodeSchema | undefined {
  const names = snippets && [...snippets.keys()].join()
  return useMemo(() => schema && withSnippets(schema, names?.split(',').filter((name) => name !== '') ?? []), [schema, names])
}

function withSnippets({ uri, schema }: CodeSchema, names: readonly string[]): CodeSchema {
  if (names.length === 0) return { uri, schema }
  const named = { enum: names, description: 'The elements of this snippet stand here on nodes.' }
  const list = { items: { properties: { snippet: named } } }
  const places = {
    properties: {
      outbounds: list,
      routing: { properties: { rules: list, balancers: list } },
      snippets: { items: named },
    },
  }
  const known: unknown = schema['allOf']
  return { uri: `${uri}#${names.join()}`, schema: { ...schema, allOf: [...(Array.isArray(known) ? known : []), places] } }
}
