import { getInstallation, getUser, getUserUsage, listUsers } from '@causeway/contract'
import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { violations } from '../../../../test/axe.ts'
import { answer, refuse, requests } from '../../../../test/fake-api.ts'
import { sampleUser, uuid } from '../../../../test/samples.ts'
import { showPage } from '../../../../test/screen.tsx'
import { answerSmallPanel } from '../../../../test/small-panel.ts'

const PAGE = '/dashboard/management/users/compare'
const GIB = 1024 ** 3
const NAMES = ['alice', 'bob', 'carol']
const users = NAMES.map((username, place) => sampleUser({ uuid: uuid(place + 1), username }))
const figures = page.getByRole('table', { name: 'Figures side by side' })
const row = (name: string) => figures.getByRole('row', { name: new RegExp(`^${name} `) })
const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)

beforeEach(() => {
  answerSmallPanel()
  answer(getUser, ({ uuid: asked }) => users.find((user) => user.uuid === asked) ?? sampleUser())
  answer(getUserUsage, ({ uuid: asked }) => {
    const row = { userUuid: asked, countryCode: 'PL', date: `${yesterday}T00:00:00.000Z` }
    // Alice on two nodes, Bob on one, Carol on none.
    if (asked === uuid(1))
      return [
        { ...row, nodeUuid: uuid(401), nodeName: 'Warsaw', total: 3 * GIB },
        { ...row, nodeUuid: uuid(402), nodeName: 'Riga', total: GIB },
      ]
    return asked === uuid(2) ? [{ ...row, nodeUuid: uuid(402), nodeName: 'Riga', total: 12 * GIB }] : []
  })
  answer(getInstallation, () => ({ timeZone: 'UTC', updatedAt: '2026-11-21T00:00:00.000Z' }))
  answer(listUsers, () => ({ users, total: users.length }))
})

it('users are chosen in the table and compared: traffic on all nodes, and where most of it went', async () => {
  const screen = await showPage('/dashboard/management/users')
  const compare = page.getByRole('button', { name: 'Compare', exact: true })
  await page.getByRole('checkbox', { name: /alice/ }).click()
  await expect.element(compare).toBeDisabled()
  await page.getByRole('checkbox', { name: /bob/ }).click()
  await compare.click()
  await expect.element(page.getByRole('heading', { level: 1, name: 'Compare users' })).toBeVisible()
  expect(screen.address()).toBe(`${PAGE}?ids=${uuid(1)}%2C${uuid(2)}`)
  await expect.element(row('alice')).toMatchTextContent(/4\.00 GiB.*base.*Warsaw/)
  await expect.element(row('bob')).toMatchTextContent(/12\.00 GiB.*3 times as much.*\+8\.00 GiB.*Riga/)
  await page.getByRole('combobox', { name: 'Add a user' }).click()
  await page.getByRole('option', { name: 'carol' }).click()
  await expect.element(row('carol')).toMatchTextContent(/0 B.*100% less/)
  await expect.element(page.getByRole('img', { name: /^Traffic by day: 3 series over 30 days, 16\.00 GiB/ })).toBeVisible()
  expect(requests(listUsers).at(-1)?.filters).toEqual([])
  expect(await violations()).toEqual([])
})

it('a user that is deleted meanwhile is named as gone, and the others stay', async () => {
  refuse(getUser, { status: 404, code: 'A063', message: 'User not found' }, ({ uuid: asked }) => asked === uuid(2))
  await showPage(`${PAGE}?ids=${uuid(1)},${uuid(2)}`)
  await expect.element(page.getByText('This user does not exist any more')).toBeVisible()
  await expect.element(row('alice')).toMatchTextContent(/4\.00 GiB/)
  await expect.element(page.getByRole('img', { name: /^Traffic by day: 1 series/ })).toBeVisible()
})
