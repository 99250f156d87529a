import { useEffect, useEffectEvent, useId, useImperativeHandle, useLayoutEffect, useRef, type Ref } from 'react'
import { comeFirst, whenIdle } from '../../lib/when-idle.ts'
import { repeatedCloser } from './code-editor-languages.ts'
import { editor, followSchema, MarkerSeverity, onTyping, Range, THEME, Uri } from './code-editor-monaco.ts'
import type { CodeEditorHandle, CodeEditorProps, CodeMarker, CodePlace } from './code-editor-parts.ts'
import { useIsPhone } from '../use-is-phone.ts'

// One way in for all that stands on the library: with two, what they share would be joined to the files of every page.
export { DiffCanvas } from './code-editor-diff.tsx'

/** A browser that does not come to rest by then is not waited for. */
const REST_MS = 1000
/** First keys have the processor for themselves. */
const FIRST_KEYS_MS = 500

/** Under this name the editor keeps what it was told, apart from what the languages find. */
const GIVEN = 'given'

/** An editor out of sight costs nothing. */
const CLOSING = /^[}\]"]$/

const SEVERITIES = { error: MarkerSeverity.Error, warning: MarkerSeverity.Warning, info: MarkerSeverity.Info } as const

interface Props extends CodeEditorProps {
  /** For screen readers: the text stands in the page line by line, and Tab leaves the editor. */
  isAccessible: boolean
  onPlace: (place: CodePlace) => void
  ref: Ref<CodeEditorHandle>
}

export function CodeCanvas(props: Props) {
  const { label, language, value, schema, markers = [], readOnlyReason, isAccessible, ref } = props
  const box = useRef<HTMLDivElement>(null)
  const made = useRef<editor.IStandaloneCodeEditor>(undefined)
  const sent = useRef(value)
  const id = useId()
  const isNarrow = useIsPhone()
  const onText = useEffectEvent((text: string) => {
    sent.current = text
    props.onChange?.(text)
  })
  const onProblems = useEffectEvent((problems: readonly CodeMarker[]) => props.onProblems?.(problems))
  const onPlace = useEffectEvent((place: CodePlace) => props.onPlace(place))
  const onSave = useEffectEvent((event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.code !== 'KeyS' || !props.onSave) return
    event.preventDefault()
    event.stopPropagation()
    props.onSave()
  })
  const startText = useEffectEvent(() => value)
  const onReady = useEffectEvent(() => props.onReady?.())

  // The editor lives outside React: made once, thrown away with its box.
  useLayoutEffect(() => {
    if (!box.current) return
    const frame = box.current
    const uri = Uri.from({ scheme: 'inmemory', path: `/${id.replaceAll(/\W/g, '')}.${language}` })
    const model = editor.createModel(startText(), language, uri)
    const instance = editor.create(frame, {
      model,
      theme: THEME,
      automaticLayout: true,
      tabSize: 2,
      insertSpaces: true,
      detectIndentation: false,
      fontSize: 14,
      formatOnType: true,
      autoClosingQuotes: 'always',
      autoClosingBrackets: 'always',
      bracketPairColorization: { enabled: true },
      guides: { bracketPairs: true, indentation: true },
      scrollBeyondLastLine: false,
      fixedOverflowWidgets: true,
      // The wheel goes on to the page where the text ends.
      scrollbar: { alwaysConsumeMouseWheel: false },
      stickyScroll: { enabled: false },
    })
    made.current = instance
    // Made with the first key, what formats would not notice that the option has been on all the time.
    instance.getContribution('editor.contrib.formatOnPaste')
    instance.updateOptions({ formatOnPaste: true })
    const listeners = [
      ...(language === 'json' ? [onTyping(instance, (key) => makeWay(instance, key))] : []),
      model.onDidChangeContent(() => onText(model.getValue())),
      instance.onDidChangeCursorPosition(({ position }) => onPlace({ line: position.lineNumber, column: position.column })),
      editor.onDidChangeMarkers((uris) => {
        if (uris.some((changed) => changed.toString() === uri.toString())) onProblems(problemsOf(uri))
      }),
    ]
    // Before the editor and the browser see it.
    const keys = (event: KeyboardEvent) => onSave(event)
    frame.addEventListener('keydown', keys, true)
    return () => {
      frame.removeEventListener('keydown', keys, true)
      for (const listener of listeners) listener.dispose()
      made.current = undefined
      instance.dispose()
      model.dispose()
    }
  }, [id, language])

  // In the same breath as the page is drawn, so that no key can come between: what was typed is never put back.
  useLayoutEffect(() => {
    if (value === sent.current) return
    sent.current = value
    replaceText(made.current, value)
  }, [value])

  // Tells the editor what it is to be.
  useEffect(() => {
    made.current?.updateOptions({
      readOnly: readOnlyReason !== undefined,
      // Said at the first key; of itself the editor says it in its own language.
      ...(readOnlyReason !== undefined && { readOnlyMessage: { value: readOnlyReason } }),
      ariaLabel: label,
      accessibilitySupport: isAccessible ? 'on' : 'auto',
      tabFocusMode: isAccessible,
      minimap: { enabled: !isNarrow },
      wordWrap: isNarrow ? 'on' : 'off',
      lineNumbersMinChars: isNarrow ? 3 : 5,
      folding: !isNarrow,
      glyphMargin: false,
    })
  }, [readOnlyReason, label, isAccessible, isNarrow, language])

  // Hands over what others have found.
  useEffect(() => {
    const model = made.current?.getModel()
    if (model) editor.setModelMarkers(model, GIVEN, markers.map(toMonaco))
  }, [markers, language])

  // The languages keep schemas by the name of the text.
  useEffect(() => {
    const model = made.current?.getModel()
    if (model && schema) return followSchema(model.uri, schema)
  }, [schema, language])

  // The browser says when it has drawn what it was given.
  useEffect(() => {
    const letOthers = comeFirst()
    let timer: ReturnType<typeof setTimeout> | undefined
    const forget = whenIdle(() => {
      timer = setTimeout(() => {
        letOthers()
        onReady()
      }, FIRST_KEYS_MS)
    }, REST_MS)
    return () => {
      forget()
      clearTimeout(timer)
      letOthers()
    }
  }, [])

  useImperativeHandle(ref, () => handleOf(made), [])
  return <div ref={box} style={{ height: '100%' }} />
}

function handleOf(made: { current: editor.IStandaloneCodeEditor | undefined }): CodeEditorHandle {
  return {
    text: () => made.current?.getValue() ?? '',
    selectedText: () => {
      const selection = made.current?.getSelection()
      return selection ? (made.current?.getModel()?.getValueInRange(selection) ?? '') : ''
    },
    replace: (text) => replaceText(made.current, text),
    paste: (text) => {
      made.current?.focus()
      // Only what a keyboard pastes is formatted.
      made.current?.trigger('keyboard', 'paste', { text, pasteOnNewLine: false, multicursorText: null })
    },
    format: async () => {
      const instance = made.current
      // So that Ctrl+Z takes it back.
      instance?.focus()
      try {
        await instance?.getAction('editor.action.formatDocument')?.run()
      } catch (error) {
        // One that was closed meanwhile has nothing to be formatted any more.
        if (made.current === instance) throw error
      }
    },
    selectAll: () => {
      const model = made.current?.getModel()
      if (model) made.current?.setSelection(model.getFullModelRange())
      made.current?.focus()
    },
    reveal: ({ line, column }) => {
      made.current?.setPosition({ lineNumber: line, column })
      made.current?.revealPositionInCenter({ lineNumber: line, column })
      made.current?.focus()
    },
    focus: () => made.current?.focus(),
  }
}

/**
 * A bracket that the editor has closed and that is typed too does not stand twice. It goes before the key comes, because formatting
 * gives up when the text changes after it.
 */
function makeWay(instance: editor.ICodeEditor, key: string): void {
  const model = instance.getModel()
  const selections = instance.getSelections()
  const [cursor] = selections ?? []
  if (!model || !CLOSING.test(key) || !cursor?.isEmpty() || selections?.length !== 1) return
  const at = cursor.getPosition()
  const from = model.getOffsetAt(at)
  const text = model.getValue()
  const length = repeatedCloser(text.slice(0, from), key, text.slice(from))
  const { lineNumber, column } = model.getPositionAt(from + length)
  const range = new Range(at.lineNumber, at.column, lineNumber, column)
  if (length > 0) instance.executeEdits('typing', [{ range, text: null }])
}

/** With the way back: one step for Ctrl+Z. */
function replaceText(instance: editor.IStandaloneCodeEditor | undefined, text: string): void {
  const model = instance?.getModel()
  if (!instance || !model || model.getValue() === text) return
  model.pushStackElement()
  model.pushEditOperations([], [{ range: model.getFullModelRange(), text }], () => null)
  model.pushStackElement()
}

function toMonaco({ line, column, endLine, endColumn, message, severity }: CodeMarker): editor.IMarkerData {
  return {
    startLineNumber: line,
    startColumn: column,
    endLineNumber: endLine ?? line,
    // A range without width is drawn under the word at its place.
    endColumn: endColumn ?? column,
    message,
    severity: SEVERITIES[severity],
  }
}

function problemsOf(uri: Uri): CodeMarker[] {
  return editor
    .getModelMarkers({ resource: uri })
    .filter(({ owner }) => owner !== GIVEN)
    .map((marker) => ({
      line: marker.startLineNumber,
      column: marker.startColumn,
      endLine: marker.endLineNumber,
      endColumn: marker.endColumn,
      message: marker.message,
      severity:
        marker.severity === MarkerSeverity.Error ? 'error' : marker.severity === MarkerSeverity.Warning ? 'warning' : 'info',
    }))
}
