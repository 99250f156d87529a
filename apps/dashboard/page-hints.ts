import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Plugin } from 'vite'
import { FIRST_TEXTS } from './src/lib/languages.ts'

const AHEAD = path.resolve(import.meta.dirname, 'src/ahead.ts')
const SHELL = path.resolve(import.meta.dirname, 'src/shell/shell.tsx')

/** What is used of a file of code that the bundler has made. */
interface Chunk {
  type: 'chunk' | 'asset'
  fileName: string
  facadeModuleId?: string | null
  imports?: string[]
  viteMetadata?: { importedCss: Set<string> } | undefined
}

/**
 * A copy of index.html for each page, as `pages/<its path>.html`, that names the files of the page's code: the browser fetches them beside
 * those of the first screen, instead of learning of them once that has run. See docs/decisions/014.
 */
export function pageHints(): Plugin {
  let ahead = ''
  const routes: Route[] = []
  return {
    name: 'page-hints',
    apply: 'build',
    buildStart() {
      ahead = this.emitFile({ type: 'chunk', id: AHEAD })
    },
    transform(_, id) {
      if (id.endsWith('.route.ts')) routes.push(...routeIn(id))
    },
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const html = bundle['index.html']
        if (html?.type !== 'asset' || typeof html.source !== 'string') throw new Error('The build made no index.html')
        const plain = html.source
        const chunks = new Map<string, Chunk>(Object.entries(bundle))
        const chunkOf = (module: string) => [...chunks.values()].find(({ facadeModuleId }) => facadeModuleId === module)
        const write = (texts: readonly string[], files: readonly string[]) =>
          withHints(plain, this.getFileName(ahead), [...FIRST_TEXTS, ...texts], files)

        html.source = write([], [])
        const shell = chunkOf(SHELL)
        for (const { address, modules, texts } of routes) {
          const files = new Set<string>()
          for (const chunk of [shell, ...modules.map(chunkOf)]) {
            if (!chunk) throw new Error(`The build has no file for ${address}`)
            for (const file of filesOf(chunk, chunks)) files.add(file)
          }
          this.emitFile({ type: 'asset', fileName: `pages${address}.html`, source: write(texts, [...files]) })
        }
      },
    },
  }
}

interface Route {
  address: string
  /** The page, and what it begins with. */
  modules: string[]
  texts: string[]
}

/** What a route file says. Pages whose path is not written there, or has parameters, are opened without hints. */
function routeIn(file: string): Route[] {
  const source = readFileSync(file, 'utf8')
  const below = /path: '([^'$]+)'/.exec(source)?.[1]
  const modules = [...source.matchAll(/import\('(\.[^']+)'\)/g)].map(([, name]) => path.resolve(path.dirname(file), name ?? ''))
  const texts = /texts: \[([^\]]*)\]/.exec(source)?.[1]
  if (below === undefined || modules.length === 0 || texts === undefined) return []
  const names = [...texts.matchAll(/'([^']+)'/g)].map(([, name]) => name ?? '')
  return [{ address: `/dashboard${below}`, modules, texts: names }]
}

/** In the order in which the bundler's own loader names them. */
function filesOf(chunk: Chunk, chunks: Map<string, Chunk>, found = new Set<string>()): string[] {
  if (found.has(chunk.fileName)) return []
  found.add(chunk.fileName)
  for (const name of chunk.imports ?? []) {
    const imported = chunks.get(name)
    if (imported) filesOf(imported, chunks, found)
  }
  for (const style of chunk.viteMetadata?.importedCss ?? []) found.add(style)
  return [...found]
}

function withHints(html: string, ahead: string, texts: readonly string[], files: readonly string[]): string {
  const links = files
    .filter((file) => !html.includes(`/${file}"`))
    .map((file) => `<link rel="${file.endsWith('.css') ? 'stylesheet' : 'modulepreload'}" crossorigin href="/${file}">`)
  const script = `<script type="module" async crossorigin src="/${ahead}" data-texts="${texts.join(' ')}"></script>`
  return html
    .replace('<script ', `${script}\n    <script `)
    .replace('</head>', `${links.map((link) => `  ${link}\n`).join('  ')}  </head>`)
}
