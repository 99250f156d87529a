import { Group, Kbd, Modal, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { undoOffered } from '../api/undo-at-hand.tsx'
import { keepFocus } from '../ui/frames/keep-focus.ts'
import { PANE_KEY, watchPanes } from '../ui/frames/panes.ts'
import { useIsPainted } from '../ui/use-is-painted.ts'
import { openPalette } from './palette/command-palette.tsx'

/** The keys that work on every page, and the list of them. */
export function Shortcuts() {
  const { t } = useTranslation()
  const { t: ui } = useTranslation('ui')
  const [isOpen, { open, close }] = useDisclosure(false)

  // Keys pressed anywhere on the page reach us only through the document.
  useEffect(watchPanes, [])
  useEffect(keepFocus, [])
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      if (event.altKey || isTyping(event.target)) return
      if (event.ctrlKey || event.metaKey) {
        // By the key's place as well: Persian and Russian keyboards have no z.
        if ((event.key === 'z' || event.code === 'KeyZ') && !event.shiftKey && undoOffered()) event.preventDefault()
        return
      }
      // Compared by the character, not the key's place: it is elsewhere on other keyboards.
      if (event.key === '?') open()
      else if (event.key === '/') focusSearch()
      else return
      event.preventDefault()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [open])

  // After the page, which people wait for.
  const isPainted = useIsPainted(true)
  if (!isPainted && !isOpen) return null

  const groups = [
    {
      title: t('shortcuts.anywhere'),
      rows: [
        [t('shortcuts.palette'), ['Ctrl / ⌘', 'K']],
        [t('shortcuts.search'), ['/']],
        [t('shortcuts.pane'), [PANE_KEY]],
        [t('shortcuts.list'), ['?']],
        [t('shortcuts.undo'), ['Ctrl / ⌘', 'Z']],
        [t('shortcuts.close'), ['Esc']],
      ],
    },
    {
      title: t('shortcuts.inList'),
      rows: [
        [t('shortcuts.row'), ['↑', '↓']],
        [t('shortcuts.control'), ['←', '→']],
        [t('shortcuts.page'), ['PgUp', 'PgDn']],
        [t('shortcuts.ends'), ['Home', 'End']],
        [t('shortcuts.open'), ['Enter']],
        [t('shortcuts.select'), ['Space']],
        [t('shortcuts.menu'), ['Shift', 'F10']],
      ],
    },
  ] as const
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title={t('shortcuts.title')}
      size={420}
      closeButtonProps={{ 'aria-label': ui('close') }}
    >
      {groups.map(({ title, rows }) => (
        <Stack key={title} gap="xs" mb="lg" component="section" aria-label={title}>
          <Text size="xs" c="dimmed">
            {title}
          </Text>
          {rows.map(([name, keys]) => (
            <Group key={name} justify="space-between" wrap="nowrap">
              <Text size="sm">{name}</Text>
              <Group gap={4} wrap="nowrap">
                {keys.map((key) => (
                  <Kbd key={key}>{key}</Kbd>
                ))}
              </Group>
            </Group>
          ))}
        </Stack>
      ))}
    </Modal>
  )
}

/** The first search field of the page; pages without one get the palette. */
function focusSearch(): void {
  const field = document.querySelector<HTMLInputElement>('main [data-search]')
  if (field) field.focus()
  else openPalette()
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
}
