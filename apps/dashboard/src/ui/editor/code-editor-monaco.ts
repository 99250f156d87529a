import { errorHandler } from 'monaco-editor/base/common/errors'
import { editor, languages, MarkerSeverity, Range, Uri } from 'monaco-editor/editor'
import EditorWorker from 'monaco-editor/editor/editor.worker?worker'
// Each of them leans on others: a list of our own leaves out what some need when they are used.
import 'monaco-editor/features/register.all'
import 'monaco-editor/languages/definitions/yaml/register'
import { getWorker, jsonDefaults, type IJSONWorker } from 'monaco-editor/languages/features/json/register'
import * as monaco from 'monaco-editor/editor'
import { configureMonacoYaml, type MonacoYaml } from 'monaco-yaml'
import JsonWorker from './code-editor-json.worker.ts?worker'
import { closedBlockStart, configureLanguage } from './code-editor-languages.ts'
import type { CodeSchema } from './code-editor-parts.ts'
import YamlWorker from './code-editor-yaml.worker.ts?worker'
import { editorColors } from '../theme.ts'

// The library is one per page and keeps its settings in one place: this file alone makes them.

export const THEME = 'causeway'

/** All of our own origin, so that the strict policy for scripts holds. */
globalThis.MonacoEnvironment = {
  getWorker: (_, label) => (label === 'json' ? new JsonWorker() : label === 'yaml' ? new YamlWorker() : new EditorWorker()),
}

editor.defineTheme(THEME, { base: 'vs-dark', inherit: true, rules: [], colors: editorColors })

/** How long what was begun for a text may go on after the text is gone. */
const AFTERWARDS_MS = 10_000
let closedAt = Number.NEGATIVE_INFINITY
editor.onWillDisposeModel(() => (closedAt = performance.now()))
const tellError = errorHandler.unexpectedErrorHandler
errorHandler.unexpectedErrorHandler = (error) => {
  // Completion or formatting that comes back to an editor closed meanwhile finds none, and nothing waits for it.
  const isAfterwards = performance.now() - closedAt < AFTERWARDS_MS
  if (!(isAfterwards && error instanceof Error && /disposed|Invalid arguments/.test(error.message))) tellError(error)
}

const OVERFLOW = 'Maximum call stack size exceeded'
/** In the server's words. */
const TOO_DEEP = 'Lists and maps lie too deep within each other.'

const schemas = new Map<string, CodeSchema>()
let yaml: MonacoYaml | undefined
configureLanguage('json', configureJson)
// With the first such text: its worker would otherwise be started with any other, to be told of schemas.
languages.onLanguage('yaml', () => configureLanguage('yaml', configureYaml))

/** Tells what is about to be typed; what is pasted is not told. */
export function onTyping(instance: editor.ICodeEditor, listener: (text: string) => void): monaco.IDisposable {
  return (instance as editor.ICodeEditor & WithTyping).onWillType(listener) // its twin is what formatting leans on
}

/** From now on the text is held against the schema, until the returned function is called. */
export function followSchema(uri: Uri, schema: CodeSchema): () => void {
  schemas.set(uri.toString(), schema)
  spreadSchemas()
  return () => {
    schemas.delete(uri.toString())
    spreadSchemas()
  }
}

function spreadSchemas(): void {
  jsonDefaults.setDiagnosticsOptions({ ...jsonDefaults.diagnosticsOptions, schemas: known() })
  void yaml?.update({ schemas: known() })
}

function known() {
  return [...schemas].map(([model, { uri, schema }]) => ({ uri, schema: { ...schema }, fileMatch: [model] }))
}

function configureYaml(): void {
  const ours = { ...monaco, editor: { ...editor, createWebWorker, setModelMarkers } }
  yaml = configureMonacoYaml(ours as never /* types of another release */, {
    hover: true,
    completion: true,
    validate: true,
    enableSchemaRequest: true,
    format: { enable: true, printWidth: 120, bracketSpacing: true },
    schemas: known(),
  })
}

function configureJson(): void {
  jsonDefaults.setDiagnosticsOptions({
    validate: true,
    allowComments: false,
    comments: 'error',
    trailingCommas: 'error',
    schemaValidation: 'warning',
    schemaRequest: 'warning',
    enableSchemaRequest: true,
    schemas: [],
  })
  // Of itself the language formats only when it is asked to, or on paste.
  languages.registerOnTypeFormattingEditProvider('json', {
    autoFormatTriggerCharacters: ['}', ']'],
    provideOnTypeFormattingEdits: async (model, position, _, options) => {
      const end = model.getOffsetAt(position)
      const start = closedBlockStart(model.getValue(), end)
      if (start === undefined) return []
      // Typed before the language has come up, it stays as it is.
      const workerOf = await getWorker().catch(() => undefined)
      if (!workerOf) return []
      const worker = (await workerOf(model.uri)) as IJSONWorker & JsonFormatter
      const from = model.getPositionAt(start)
      const edits = await worker.format(
        model.uri.toString(),
        {
          start: { line: from.lineNumber - 1, character: from.column - 1 },
          end: { line: position.lineNumber - 1, character: position.column - 1 },
        },
        { tabSize: options.tabSize, insertSpaces: options.insertSpaces },
      )
      return edits.map(({ range, newText }) => ({
        range: new Range(range.start.line + 1, range.start.character + 1, range.end.line + 1, range.end.character + 1),
        text: newText,
      }))
    },
  })
}

/** Members of an editor that its type leaves out. */
interface WithTyping {
  onWillType: (listener: (text: string) => void) => monaco.IDisposable
}

interface LspPlace {
  line: number
  character: number
}

interface LspRange {
  start: LspPlace
  end: LspPlace
}

/** Members of the worker that its type leaves out. */
interface JsonFormatter {
  format: (
    uri: string,
    range: LspRange,
    options: { tabSize: number; insertSpaces: boolean },
  ) => Promise<{ range: LspRange; newText: string }[]>
}

/** As older releases of the library made workers: `monaco-yaml` still asks so. */
function createWebWorker<T extends object>(options: { createData?: unknown; label?: string }): monaco.editor.MonacoWebWorker<T> {
  const worker = new YamlWorker()
  // The first message starts it, the second is what it is made with.
  worker.postMessage('ignore')
  worker.postMessage(options.createData)
  return editor.createWebWorker<T>({ worker })
}

/** Where the language can go no deeper, its message is an internal word. */
const setModelMarkers: typeof editor.setModelMarkers = (model, owner, markers) => {
  const told = markers.map((marker) => (marker.message.includes(OVERFLOW) ? { ...marker, message: TOO_DEEP } : marker))
  editor.setModelMarkers(model, owner, told)
}

export { editor, MarkerSeverity, Range, Uri }
