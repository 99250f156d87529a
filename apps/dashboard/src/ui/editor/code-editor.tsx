import { Center, Group, Loader, Switch, Text, UnstyledButton } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { useEffect, useId, useRef, useState, type CSSProperties, type Ref } from 'react'
import { useTranslation } from 'react-i18next'
import { fetchShown } from '../../lib/fetch-code.ts'
import type { CodeDiffProps, CodeEditorHandle, CodeEditorProps, CodeMarker, CodePlace } from './code-editor-parts.ts'
import classes from './code-editor.module.css'
import { fetchEditor } from './fetch-editor.ts'
import { editorColors } from '../theme.ts'

/** What the specification gives an editor on a desktop. */
const HEIGHT = 700

type EditorCode = Awaited<ReturnType<typeof fetchEditor>>

let fetched: EditorCode | undefined

/**
 * A text with colours, checks, hover and completion: the one editor of all pages. It stays dark and runs from left to right
 * whatever is around it. `value` is what a form holds: changes from outside replace the text as one step that can be undone.
 */
export function CodeEditor({ ref, ...props }: CodeEditorProps & { ref?: Ref<CodeEditorHandle> }) {
  const { height = HEIGHT, markers = [], onProblems } = props
  const { t } = useTranslation('ui')
  const [found, setFound] = useState<readonly CodeMarker[]>([])
  const [place, setPlace] = useState<CodePlace>({ line: 1, column: 1 })
  const [isAccessible, setAccessible] = useLocalStorage({ key: 'code-editor-accessible', defaultValue: false })
  const handle = useRef<CodeEditorHandle>(null)
  const code = useEditorCode()

  function keep(next: CodeEditorHandle | null): void {
    handle.current = next
    if (typeof ref === 'function') ref(next)
    else if (ref) ref.current = next
  }
  return (
    <div className={classes['frame']} onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && props.onBlur?.()}>
      <div className={classes['box']} dir="ltr" style={boxStyle(height)}>
        {code ? (
          <code.CodeCanvas
            {...props}
            ref={keep}
            label={`${props.label}. ${t('code.keys')}`}
            isAccessible={isAccessible}
            onPlace={setPlace}
            onProblems={(problems) => {
              setFound(problems)
              onProblems?.(problems)
            }}
          />
        ) : (
          <Loading />
        )}
      </div>
      {props.isUnkept && (
        <Text role="alert" size="xs" className={classes['unkept']!}>
          {t('code.unkept')}
        </Text>
      )}
      <Group className={classes['bar']} justify="space-between" gap="xs">
        <Problems problems={[...markers, ...found]} onGo={(next) => handle.current?.reveal(next)} place={place} />
        <Group gap="md">
          <Text size="xs" c="dimmed">
            {t('code.place', { line: place.line, column: place.column })}
          </Text>
          <Switch
            size="xs"
            label={t('code.accessible')}
            checked={isAccessible}
            onChange={(event) => setAccessible(event.currentTarget.checked)}
          />
        </Group>
      </Group>
    </div>
  )
}

/** Two states of a text and what differs, for reading. */
export function CodeDiff(props: CodeDiffProps) {
  const code = useEditorCode()
  const id = useId()
  return (
    <div className={classes['frame']} role="group" aria-labelledby={id}>
      <Text id={id} size="xs" c="dimmed" mb={4}>
        {props.label}
      </Text>
      <div className={classes['box']} dir="ltr" style={boxStyle(props.height ?? HEIGHT)}>
        {code ? <code.DiffCanvas {...props} /> : <Loading />}
      </div>
    </div>
  )
}

/** Not by Suspense: what that waited for, React shows no sooner than 300 ms after it has shown that it waits. */
function useEditorCode(): EditorCode | undefined {
  const [code, setCode] = useState(fetched)
  const [failure, setFailure] = useState<{ error: unknown }>()

  // Code comes over the network.
  useEffect(() => {
    if (code) return undefined
    let isShown = true
    fetchShown(fetchEditor).then(
      (found) => {
        fetched = found
        if (isShown) setCode(found)
      },
      (error: unknown) => isShown && setFailure({ error }),
    )
    return () => {
      isShown = false
    }
  }, [code])

  if (failure) throw failure.error
  return code
}

/** How many, and the way from one to the next, for keyboards and screen readers too. At one place the first that is given comes first. */
function Problems(props: { problems: readonly CodeMarker[]; place: CodePlace; onGo: (place: CodePlace) => void }) {
  const { t } = useTranslation('ui')
  const { problems, place, onGo } = props
  const real = problems.filter(({ severity }) => severity !== 'info').toSorted((one, other) => distance(one, other))
  const next = real.find((problem) => distance(problem, place) > 0) ?? real[0]
  return (
    <div role="status">
      {next === undefined ? (
        <Text size="xs" c="dimmed">
          {t('code.clean')}
        </Text>
      ) : (
        <UnstyledButton className={classes['problem']} onClick={() => onGo(next)}>
          <span className={classes['count']}>{t('code.problems', { count: real.length })}</span>{' '}
          {t('code.problem', { line: next.line, column: next.column, message: next.message })}
        </UnstyledButton>
      )}
    </div>
  )
}

function distance(one: CodePlace, other: CodePlace): number {
  return one.line - other.line || one.column - other.column
}

function Loading() {
  const { t } = useTranslation('ui')
  return (
    <Center h="100%" role="status">
      <Group gap="xs">
        <Loader size="xs" aria-hidden />
        <Text size="sm" dir="auto">
          {t('code.loading')}
        </Text>
      </Group>
    </Center>
  )
}

function boxStyle(height: number): CSSProperties {
  const colors = { '--code-surface': editorColors['editor.background'], '--code-text': editorColors['editor.foreground'] }
  return { '--code-height': `${height}px`, ...colors } as CSSProperties // React's type knows no variables
}
