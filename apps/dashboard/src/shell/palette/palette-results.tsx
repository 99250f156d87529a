import { Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useFound, useVerbs, type FoundEntry } from '../../features/search/parts/use-found.tsx'
import { filterEntries, rankGroups, readCommand } from '../../features/search/search.rules.ts'
import { usePersistedView } from '../../ui/table/data-table-view.ts'
import classes from './command-palette.module.css'
import { useCommands, usePages } from './palette-commands.tsx'
import { PALETTE_TEXTS } from './palette-texts.ts'

const TYPING_PAUSE_MS = 120
const REMEMBERED = 6

interface Props {
  listId: string
  typed: string
  active: number
  /** Enter was pressed before there was anything to choose. */
  isEntered: boolean
  onActive: (index: number) => void
  /** `isPage`: what was picked is a page, and the keyboard goes there. */
  onDone: (isPage: boolean) => void
}

/** Groups of what fits, the best first; before anything is typed, what was picked lately and every page. */
export function PaletteResults({ listId, typed, active, isEntered, onActive, onDone }: Props) {
  const { t } = useTranslation(PALETTE_TEXTS)
  const verbs = { enable: t('verb.enable'), disable: t('verb.disable'), restart: t('verb.restart') }
  const command = readCommand(typed, verbs)
  const sought = command?.object ?? typed
  const [paused] = useDebouncedValue(sought, TYPING_PAUSE_MS)
  const found = useFound(sought === '' ? '' : paused, sought)
  const done = useVerbs(command && paused === sought ? sought : '', command?.verb)
  const pages = usePages()
  const commands = useCommands()
  const [{ ids }, remember] = usePersistedView('palette-recent', 1, NONE_PICKED)
  const known = [...pages, ...commands]
  const groups =
    typed === ''
      ? [
          { name: t('group.recent'), entries: ids.flatMap((id) => known.find((entry) => entry.id === id) ?? []) },
          { name: t('group.pages'), entries: pages.filter(({ id }) => !ids.includes(id)) },
          { name: t('group.actions'), entries: commands.filter(({ id }) => !ids.includes(id)) },
        ].filter(({ entries }) => entries.length > 0)
      : [
          ...(done.length > 0 ? [{ name: t('group.actions'), entries: done }] : []),
          ...rankGroups(
            [
              { name: t('group.pages'), entries: filterEntries(pages, typed) },
              { name: done.length > 0 ? t('group.otherActions') : t('group.actions'), entries: filterEntries(commands, typed) },
              ...found,
            ],
            sought,
          ),
        ]

  function pick(entry: FoundEntry): void {
    // Pages and actions only: names of users are not left behind in a browser.
    if (known.some(({ id }) => id === entry.id))
      remember({ ids: [entry.id, ...ids.filter((id) => id !== entry.id)].slice(0, REMEMBERED) })
    onDone(entry.isPage === true)
    entry.onPick()
  }
  const [first] = groups.flatMap(({ entries }) => entries)
  // The key was pressed in the world outside; what it meant is there only now.
  useEffect(() => {
    if (isEntered && first) pick(first)
  })
  let index = -1
  if (groups.length === 0)
    return paused === sought ? (
      <Text size="sm" c="dimmed" p="md" ta="center" role="option" aria-disabled aria-selected={false}>
        {t('empty')}
      </Text>
    ) : null
  return groups.map(({ name, entries }) => (
    <div key={name} role="group" aria-label={name}>
      <div className={classes['group']} aria-hidden>
        {name}
      </div>
      {entries.map((entry) => {
        index++
        const own = index
        return (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field above has the keys, as a combobox does
          <div
            key={entry.id}
            id={`${listId}-${own}`}
            role="option"
            tabIndex={-1}
            aria-selected={own === active}
            className={classes['entry']}
            onMouseMove={() => own !== active && onActive(own)}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => pick(entry)}
          >
            <span className={classes['sign']}>{entry.sign}</span>
            <bdi className={classes['label']}>{entry.label}</bdi>
            {entry.note !== undefined && (
              <span className={classes['note']}>
                <bdi>{entry.note}</bdi>
              </span>
            )}
          </div>
        )
      })}
    </div>
  ))
}

const NONE_PICKED: { ids: string[] } = { ids: [] }
