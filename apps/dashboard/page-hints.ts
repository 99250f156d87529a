import { readFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'
import { FIRST_TEXTS } from './src/lib/languages.ts'

const AHEAD = path.resolve(import.meta.dirname, 'src/ahead.ts')
/** Of the letters and digits of every language. Coming after the first texts stand, it would have all of them laid out again. */
const FONT = /montserrat-latin-wght-normal-[^/]*\.woff2$/
const START = path.resolve(import.meta.dirname, 'src/start.tsx')
const PANEL = path.resolve(import.meta.dirname, 'src/panel.tsx')
const SHELL = path.resolve(import.meta.dirname, 'src/shell/shell.tsx')
const EDITOR = path.resolve(import.meta.dirname, 'src/ui/editor/code-editor-canvas.tsx')

/** What is used of a file of code that the bundler has made. */
interface Chunk {
  type: 'chunk' | 'asset'
  fileName: string
  facadeModuleId?: string | null
  imports?: string[]
  viteMetadata?: { importedCss: Set<string> } | undefined
}

/**
 * A copy of index.html for each page, as `pages/<its path>.html`, that names the files of the page's code and the font: the browser fetches
 * them beside those of the first screen, instead of learning of them once that has run. See docs/decisions/014.
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
    async transform(_, id) {
      if (id.endsWith('.route.ts')) routes.push(...(await routesIn(id)))
    },
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const html = bundle['index.html']
        if (html?.type !== 'asset' || typeof html.source !== 'string') throw new Error('The build made no index.html')
        const plain = html.source
        const chunks = new Map<string, Chunk>(Object.entries(bundle))
        const chunkOf = (module: string) => [...chunks.values()].find(({ facadeModuleId }) => facadeModuleId === module)
        const font = Object.keys(bundle).find((name) => FONT.test(name))
        if (font === undefined) throw new Error('The build has no file of the font')
        const write = (texts: readonly string[], files: readonly string[], later: readonly string[] = []) =>
          withHints(plain, { ahead: this.getFileName(ahead), font, texts: [...FIRST_TEXTS, ...texts], files, later })

        const filesFor = (address: string, needed: readonly string[]) => {
          const files = new Set<string>()
          for (const module of needed) {
            const own = chunkOf(module)
            if (!own) throw new Error(`The build has no file for ${module}, which ${address} needs`)
            filesOf(own, chunks, files)
          }
          return [...files]
        }

        html.source = write([], filesFor('/', [START]), filesFor('/', [PANEL]))
        for (const { address, modules, texts } of routes) {
          const source = write(texts, filesFor(address, [START, PANEL, SHELL, ...modules]))
          this.emitFile({ type: 'asset', fileName: `pages${address}.html`, source })
        }
      },
    },
  }
}

interface Route {
  address: string
  texts: readonly string[]
  /** The page, and what its route begins beside it. The editor is the largest, and the last. */
  modules: string[]
}

/** What a route file says: its addresses and texts as it gives them, the modules as they stand in it. */
async function routesIn(file: string): Promise<Route[]> {
  const source = readFileSync(file, 'utf8')
  const imported = [...source.matchAll(/import\('(\.[^']+)'\)/g)].map(([, name = '']) => path.resolve(path.dirname(file), name))
  const modules = source.includes('beginEditor') ? [...imported, EDITOR] : imported
  const given: Record<string, unknown> = await import(pathToFileURL(file).href)
  return Object.values(given)
    .filter(isPageRoute)
    .map((route) => ({ address: `/dashboard${route.path}`, texts: route.texts, modules }))
}

function isPageRoute(value: unknown): value is { path: string; texts: readonly string[] } {
  return typeof value === 'object' && value !== null && 'path' in value && 'texts' in value
}

/** In the order in which the bundler's own loader names them. */
function filesOf(chunk: Chunk, chunks: Map<string, Chunk>, found: Set<string>): void {
  if (found.has(chunk.fileName)) return
  found.add(chunk.fileName)
  for (const name of chunk.imports ?? []) {
    const imported = chunks.get(name)
    if (imported) filesOf(imported, chunks, found)
  }
  for (const style of chunk.viteMetadata?.importedCss ?? []) found.add(style)
}

interface Hints {
  ahead: string
  font: string
  texts: readonly string[]
  files: readonly string[]
  /** Fetched for who is signed in; others sign in first. */
  later: readonly string[]
}

function withHints(html: string, { ahead, font, texts, files, later }: Hints): string {
  const isNew = (file: string) => !html.includes(`/${file}"`)
  const links = files
    .filter(isNew)
    .map((file) => `<link rel="${file.endsWith('.css') ? 'stylesheet' : 'modulepreload'}" crossorigin href="/${file}">`)
  const code = later.filter((file) => isNew(file) && file.endsWith('.js')).map((file) => `/${file}`)
  const panel = code.length === 0 ? '' : ` data-panel="${code.join(' ')}"`
  const script = `<script type="module" async crossorigin src="/${ahead}" data-texts="${texts.join(' ')}"${panel}></script>`
  links.push(`<link rel="preload" as="font" type="font/woff2" crossorigin fetchpriority="low" href="/${font}">`)
  return html
    .replace('<script ', `${script}\n    <script `)
    .replace('</head>', `${links.map((link) => `  ${link}\n`).join('  ')}  </head>`)
}
