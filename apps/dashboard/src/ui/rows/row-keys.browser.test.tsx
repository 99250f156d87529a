import { Menu, TextInput } from '@mantine/core'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { showPart } from '../../../test/screen.tsx'
import { GrowingList } from './growing-list.tsx'
import { RowMenu } from './row-menu.tsx'

const CITIES = ['Warsaw', 'Tokyo', 'Oslo', 'Quito']

function Cities({ columns = 1 }: { columns?: number }) {
  const [cities, setCities] = useState(CITIES)
  const onEarlier = () => setCities(['Lima', ...cities])
  const [isOpened, setOpened] = useState('')
  return (
    <>
      <style>{`.cities { display: grid; grid-template-columns: repeat(${columns}, 1fr); }`}</style>
      <button type="button" onClick={onEarlier}>
        Before
      </button>
      <GrowingList label="Cities" className="cities" items={cities}>
        {(name) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- as rows are
          <li key={name} onClick={({ target }) => target instanceof HTMLLIElement && setOpened(name)}>
            <input type="checkbox" aria-label={`Select ${name}`} />
            <a href={`#${name}`}>{name}</a>
            <RowMenu label={`Actions of ${name}`} isBusy={false}>
              <Menu.Item onClick={() => setCities(cities.filter((one) => one !== name))}>Remove {name}</Menu.Item>
            </RowMenu>
          </li>
        )}
      </GrowingList>
      <TextInput label="After" />
      <output>{isOpened}</output>
    </>
  )
}

const button = (name: string) => page.getByRole('button', { name })
const select = (name: string) => page.getByRole('checkbox', { name: `Select ${name}` })
const link = (name: string) => page.getByRole('link', { name, exact: true })

it('a list is one place for Tab, arrows lead to the same control of other rows, and the row stays where it was left', async () => {
  await showPart(<Cities />)
  button('Before').element().focus()
  await userEvent.keyboard('{Tab}')
  await expect.element(select('Warsaw')).toHaveFocus()
  await userEvent.keyboard('{ArrowDown}{ArrowRight}{ArrowDown}')
  await expect.element(link('Oslo')).toHaveFocus()
  await userEvent.keyboard('{Tab}{Tab}')
  await expect.element(page.getByRole('textbox')).toHaveFocus()
  await userEvent.keyboard('{Shift>}{Tab}{/Shift}')
  await expect.element(button('Actions of Oslo')).toHaveFocus()
  await userEvent.keyboard('{Home}')
  await expect.element(button('Actions of Warsaw')).toHaveFocus()
  await userEvent.keyboard('{End}{ArrowLeft}{ArrowLeft} {Enter}')
  await expect.element(select('Quito')).toBeChecked()
  await expect.element(page.getByRole('status').filter({ hasText: 'Quito' })).toBeInTheDocument()
})

it('a list is entered at its first row, whatever came before the one that was first, until somebody was in another', async () => {
  await showPart(<Cities />)
  button('Before').element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(select('Lima')).toBeInTheDocument()
  await userEvent.keyboard('{Tab}')
  await expect.element(select('Lima')).toHaveFocus()
  await userEvent.keyboard('{ArrowDown}{Shift>}{Tab}{/Shift}{Tab}')
  await expect.element(select('Warsaw')).toHaveFocus()
})

it('in Persian the arrow to the left leads on in a row', async () => {
  await showPart(<Cities />, { language: 'fa' })
  select('Tokyo').element().focus()
  await userEvent.keyboard('{ArrowLeft}')
  await expect.element(link('Tokyo')).toHaveFocus()
  await userEvent.keyboard('{ArrowRight}')
  await expect.element(select('Tokyo')).toHaveFocus()
})

it('among cards, down leads to the card below and the sides to those beside', async () => {
  await showPart(<Cities columns={2} />)
  select('Tokyo').element().focus()
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(select('Quito')).toHaveFocus()
  await userEvent.keyboard('{ArrowLeft}')
  await expect.element(button('Actions of Oslo')).toHaveFocus()
  await userEvent.keyboard('{ArrowUp}{ArrowUp}')
  await expect.element(button('Actions of Warsaw')).toHaveFocus()
})

it('a key opens the menu of the row, and when the row is removed the next one has the focus', async () => {
  await showPart(<Cities />)
  link('Tokyo').element().focus()
  await userEvent.keyboard('{Shift>}{F10}{/Shift}')
  await expect.element(page.getByRole('menuitem', { name: 'Remove Tokyo' })).toBeVisible()
  await userEvent.keyboard('{ArrowDown}{Enter}')
  await expect.element(link('Tokyo')).not.toBeInTheDocument()
  await expect.element(button('Actions of Oslo')).toHaveFocus()
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(button('Actions of Quito')).toHaveFocus()
})
