import { expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { uuid } from '../../../test/samples.ts'
import { showPart } from '../../../test/screen.tsx'
import { SortableList, SortableRow } from './sortable-list.tsx'

const CITIES = ['Warsaw', 'Tokyo', 'Oslo'].map((name, index) => ({ uuid: uuid(index + 1), name }))

async function showCities(language: 'en' | 'fa', onMove: (names: string[]) => void = () => {}): Promise<void> {
  const list = (
    <SortableList
      label="Cities"
      items={CITIES}
      nameOf={({ name }) => name}
      rowHeight={40}
      overscan={3}
      onMove={(cities) => onMove(cities.map(({ name }) => name))}
    >
      {({ uuid: id, name }, place) => (
        <SortableRow key={id} id={id} place={place} moveLabel={`Move ${name}`} onOpen={() => {}}>
          {(handle) => handle}
        </SortableRow>
      )}
    </SortableList>
  )
  await showPart(list, { language })
}

it.each([
  ['en', 'Warsaw is lifted, at place 1 of 3.', 'Warsaw is over place 2 of 3.', 'Warsaw is put down at place 2 of 3.'],
  ['fa', 'Warsaw برداشته شد، جای ۱ از ۳.', 'Warsaw روی جای ۲ از ۳ است.', 'Warsaw در جای ۲ از ۳ گذاشته شد.'],
] as const)('a move is announced in %s by name and place, never by an id', async (language, lifted, over, dropped) => {
  await showCities(language)
  const handle = page.getByRole('button', { name: 'Move Warsaw' })
  await expect.element(handle).toBeVisible()
  expect(handle.element().getAttribute('aria-roledescription')).not.toBe('sortable')
  handle.element().focus()
  const said = page.getByRole('status')
  await userEvent.keyboard(' ')
  await expect.element(said).toHaveTextContent(lifted)
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(said).toHaveTextContent(over)
  await userEvent.keyboard(' ')
  await expect.element(said).toHaveTextContent(dropped)
  expect(document.body.textContent).not.toContain(uuid(1))
})

it('keys pressed within one frame, before the list is measured, move a row as if pressed one by one', async () => {
  const onMove = vi.fn<(names: string[]) => void>()
  await showCities('en', onMove)
  const handle = page.getByRole('button', { name: 'Move Warsaw' }).element()
  if (!(handle instanceof HTMLElement)) throw new Error('The handle is no element.')
  handle.focus()
  const keys = ['Space', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp', 'Space']
  for (const code of keys) {
    document.activeElement?.dispatchEvent(
      new KeyboardEvent('keydown', { code, key: code === 'Space' ? ' ' : code, bubbles: true, cancelable: true }),
    )
  }
  await expect.poll(() => onMove.mock.calls).toEqual([[['Tokyo', 'Warsaw', 'Oslo']]])
  expect(document.activeElement).toBe(handle)
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(page.getByRole('button', { name: 'Move Tokyo' })).toHaveFocus()
})
