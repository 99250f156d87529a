/** The languages of the editors. */
export type CodeLanguage = 'json' | 'yaml'

/** Counted from 1, as editors show them. */
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

/** The schema that hover, completion and checks of a text use. Objects of the same schema are the same object. */
export interface CodeSchema {
  /** Names it; nothing is fetched from there. */
  uri: string
  schema: Readonly<Record<string, unknown>>
}

/** The editor's commands for its page, by ref. */
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
  /** The name of the text, for screen readers. */
  label: string
  language: CodeLanguage
  value: string
  onChange?: (text: string) => void
  schema?: CodeSchema | undefined
  /** Problems found by a server or validator, not by the language. */
  markers?: readonly CodeMarker[]
  /** Problems that the language itself finds, again after each change. */
  onProblems?: (problems: readonly CodeMarker[]) => void
  /** It can be typed into, and the browser has come to rest and had a moment for first keys: what else is heavy waits until then. */
  onReady?: () => void
  /** The focus left the editor, its bar included. */
  onBlur?: () => void
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
