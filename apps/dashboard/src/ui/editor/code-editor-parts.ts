/** What the editors understand. */
export type CodeLanguage = 'json' | 'yaml'

/** Counted from 1, as everybody reads them. */
export interface CodePlace {
  line: number
  column: number
}

/** Something to say about a place in the text. */
export interface CodeMarker extends CodePlace {
  /** Where nothing else is said, the word at the place. */
  endLine?: number
  endColumn?: number
  message: string
  severity: 'error' | 'warning' | 'info'
}

/** What hover, completion and checks know of a text. Objects of the same schema are the same object. */
export interface CodeSchema {
  /** Names it; nothing is fetched from there. */
  uri: string
  schema: Readonly<Record<string, unknown>>
}

/** What a page asks of its editor, by ref. */
export interface CodeEditorHandle {
  /** As it stands this instant. */
  text: () => string
  selectedText: () => string
  /** All of it, as one step that can be undone. */
  replace: (text: string) => void
  /** In place of the selection, formatted like anything pasted. */
  paste: (text: string) => void
  /** Text that cannot be read as its language stays as it is. */
  format: () => Promise<void>
  selectAll: () => void
  /** Puts the cursor there, in the middle of what is seen. */
  reveal: (place: CodePlace) => void
  focus: () => void
}

export interface CodeEditorProps {
  /** What the text is, for people who cannot see it. */
  label: string
  language: CodeLanguage
  value: string
  onChange?: (text: string) => void
  schema?: CodeSchema | undefined
  /** What others than the language have found: a server, a validator. */
  markers?: readonly CodeMarker[]
  /** What the language itself finds, again after each change. */
  onProblems?: (problems: readonly CodeMarker[]) => void
  /** It can be typed into, and the browser has come to rest and had a moment for first keys: what else is heavy waits until then. */
  onReady?: () => void
  /** Ctrl+S or ⌘S. */
  onSave?: () => void
  /** Why nothing can be typed, where nothing can. */
  readOnlyReason?: string
  /** The browser has no room for a copy: what was typed is nowhere but here. */
  isUnkept?: boolean
  /** In pixels, where the screen is large enough; the person may pull it to another size. */
  height?: number
}

export interface CodeDiffProps {
  label: string
  language: CodeLanguage
  before: string
  after: string
  height?: number
}
