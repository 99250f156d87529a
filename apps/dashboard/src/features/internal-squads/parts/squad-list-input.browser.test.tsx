import { listInternalSquads } from '@causeway/contract'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { answer } from '../../../../test/fake-api.ts'
import { sampleInternalSquad, uuid } from '../../../../test/samples.ts'
import { showPart } from '../../../../test/screen.tsx'
import { SquadListInput } from './squad-list-input.tsx'

const NAMES = ['Friends', 'Family', 'Trial']
const squads = (count: number) =>
  Array.from({ length: count }, (_, index) => {
    const info = { membersCount: index + 1, inboundsCount: 2 }
    return sampleInternalSquad({ uuid: uuid(300 + index), name: NAMES[index] ?? `Squad ${index}`, info })
  })

function Field({ initial }: { initial: string[] }) {
  const [value, setValue] = useState(initial)
  return <SquadListInput label="Internal squads" value={value} onChange={setValue} />
}

async function showList(count: number, initial: string[] = []): Promise<void> {
  answer(listInternalSquads, () => ({ total: count, internalSquads: squads(count) }))
  await showPart(<Field initial={initial} />)
}

const list = page.getByRole('group', { name: /^Internal squads/ })
const names = () =>
  list
    .getByRole('checkbox')
    .elements()
    .map((box) => document.querySelector(`label[for="${box.id}"]`)?.textContent)

it('SQUAD-025 a squad is listed with its name, members, inbounds and a button that edits it', async () => {
  await showList(3)
  const friends = list.getByRole('checkbox', { name: 'Friends' })
  await expect.element(friends).not.toBeChecked()
  await expect.element(friends).toHaveAccessibleDescription('1 member · 2 inbounds')
  await expect.element(list.getByRole('checkbox', { name: 'Family' })).toHaveAccessibleDescription('2 members · 2 inbounds')
  await expect.element(list.getByRole('button', { name: 'Edit Friends' })).toBeVisible()
  await friends.click()
  await expect.element(friends).toBeChecked()
  await expect.element(page.getByText('1 chosen')).toBeVisible()
  friends.element().focus()
  await userEvent.keyboard(' ')
  await expect.element(friends).not.toBeChecked()
})

it('what is chosen stands first as the list opens, and nothing moves by choosing', async () => {
  await showList(3, [uuid(302)])
  await expect.poll(names).toEqual(['Trial', 'Friends', 'Family'])
  await list.getByRole('checkbox', { name: 'Family' }).click()
  expect(names()).toEqual(['Trial', 'Friends', 'Family'])
})

it('SQUAD-026 SQUAD-028 squads are searched by name, and none found is told', async () => {
  await showList(3)
  const search = page.getByRole('searchbox', { name: 'Search squads' })
  await search.fill('FAM')
  await expect.poll(names).toEqual(['Family'])
  await search.fill('nothing of this name')
  await expect.element(page.getByText('No squads found')).toBeVisible()
  await expect.element(list).not.toBeInTheDocument()
})

it('SQUAD-028 a panel without squads says so', async () => {
  await showList(0)
  await expect.element(page.getByText('No squads found')).toBeVisible()
})

it('SQUAD-027 rows are taken for 60 px, ten more than are seen exist, and the list is at most 200 px high', async () => {
  await showList(100)
  await expect.poll(() => names().length).toBeGreaterThan(0)
  const viewport = list.element()
  expect(viewport.getBoundingClientRect().height).toBe(200)
  expect(viewport.scrollHeight).toBe(100 * 60)
  // 198 px within the borders show four rows.
  expect(names()).toHaveLength(4 + 10)
  viewport.scrollTop = 50 * 60
  await expect.poll(names).toContain('Squad 50')
  await expect.poll(() => names().length).toBe(4 + 10 + 10)
  await showList(2)
  await expect.poll(() => list.element().scrollHeight).toBe(2 * 60)
})
