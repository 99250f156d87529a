import { CloseButton, Modal, TextInput } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { SEARCH_MAX_LENGTH } from '@causeway/contract'
import { IconSearch } from '@tabler/icons-react'
import { Suspense, useEffect, useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { loadTexts } from '../../api/texts.ts'
import { fetchCode, lazyPart } from '../../lib/fetch-code.ts'
import { useIsPainted } from '../../ui/use-is-painted.ts'
import { useIsPhone } from '../../ui/use-is-phone.ts'
import classes from './command-palette.module.css'
import { PALETTE_TEXTS } from './palette-texts.ts'
import { createStore, useStore } from '../../lib/store.ts'

// Results and their actions import half of the features, so they load after the frame.
const results = async () => (await import('./palette-results.tsx')).PaletteResults
const PaletteResults = lazyPart(results)

/** Code and texts of what the palette shows. */
export async function fetchPalette(): Promise<void> {
  await Promise.all([fetchCode(results), loadTexts(...PALETTE_TEXTS)])
}

const paletteStore = createStore({ isOpen: false, isLeft: false })

export function openPalette(): void {
  paletteStore.setState({ isOpen: true, isLeft: false })
}

/** `isLeft`: for a page, so that nothing goes back to where the search was opened. */
function closePalette(isLeft = false): void {
  paletteStore.setState({ isOpen: false, isLeft })
}

/** mod+K: users, nodes, hosts, squads, profiles, pages and actions, by what one knows of them. */
export function CommandPalette() {
  const { t } = useTranslation()
  const { isOpen, isLeft } = useStore(paletteStore)
  const isPhone = useIsPhone()
  // The store outlives the shell: after signing in again the search must be closed.
  useEffect(() => () => closePalette(), [])
  useHotkeys([['mod+K', () => (isOpen ? closePalette() : openPalette())]], [])
  // After the page, which people wait for.
  const isPainted = useIsPainted(true)
  if (!isPainted && !isOpen) return null
  return (
    <Modal
      opened={isOpen}
      onClose={() => closePalette()}
      returnFocus={!isLeft}
      withCloseButton={false}
      size={640}
      centered={false}
      yOffset={80}
      padding={0}
      fullScreen={isPhone}
      attributes={{ content: { 'aria-label': t('palette.hint') } }}
    >
      <Palette />
    </Modal>
  )
}

const LIST_ID = 'palette-list'

/** Mounted anew with every opening. The focus stays in the field; the arrows move through what it lists. */
function Palette() {
  const { t } = useTranslation()
  const { t: ui } = useTranslation('ui')
  const [text, setText] = useState('')
  const [active, setActive] = useState(0)
  const [isEntered, setEntered] = useState(false)

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return
    const options = document.querySelectorAll<HTMLElement>(`#${LIST_ID} [role=option]`)
    if (event.key === 'Enter') enter(options[active])
    else if (event.key === 'ArrowDown') move(active + 1)
    else if (event.key === 'ArrowUp') move(active - 1)
    else return
    event.preventDefault()

    /** Enter before the answer has come means its first result. */
    function enter(option: HTMLElement | undefined): void {
      if (option) option.click()
      else setEntered(true)
    }
    function move(to: number): void {
      const next = (to + options.length) % Math.max(options.length, 1)
      setActive(next)
      options[next]?.scrollIntoView({ block: 'nearest' })
    }
  }
  return (
    <>
      <TextInput
        size="lg"
        variant="unstyled"
        role="combobox"
        aria-expanded
        aria-controls={LIST_ID}
        aria-activedescendant={`${LIST_ID}-${active}`}
        aria-label={t('palette.placeholder')}
        placeholder={t('palette.placeholder')}
        leftSection={<IconSearch size={18} aria-hidden />}
        rightSection={<CloseButton aria-label={ui('close')} onClick={() => closePalette()} />}
        maxLength={SEARCH_MAX_LENGTH}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setActive(0)
          setEntered(false)
        }}
        onKeyDown={onKeyDown}
        data-autofocus
        className={classes['field']!}
      />
      <div id={LIST_ID} role="listbox" aria-label={t('palette.hint')} className={classes['list']}>
        <Suspense fallback={null}>
          <PaletteResults
            listId={LIST_ID}
            typed={text.trim()}
            active={active}
            isEntered={isEntered}
            onActive={setActive}
            onDone={closePalette}
          />
        </Suspense>
      </div>
    </>
  )
}
