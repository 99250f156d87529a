import {
  bulkDeleteHosts,
  bulkDisableHosts,
  bulkSetHostsInbound,
  deleteHost,
  getHost,
  listConfigProfiles,
  listHosts,
  planChange,
  updateHost,
} from '@causeway/contract'
import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { violations } from '../../../test/axe.ts'
import { answer, refuse, requests } from '../../../test/fake-api.ts'
import { sampleConfigProfile, sampleHost, sampleInbound, sampleLosses, samplePlan, uuid } from '../../../test/samples.ts'
import { showPage } from '../../../test/screen.tsx'
import { answerSmallPanel } from '../../../test/small-panel.ts'

// What is said before hosts are taken away from users.

const HOSTS = '/dashboard/management/hosts'
const host = sampleHost()
const other = sampleHost({ uuid: uuid(502), remark: 'Norway' })
const edit = page.getByRole('dialog', { name: 'Edit host' })
const save = edit.getByRole('button', { name: 'Save' })
const question = page.getByRole('dialog', { name: 'What this save does' })
const losing = samplePlan({ users: sampleLosses({ some: 2, all: 5, online: 1 }) })

beforeEach(() => {
  answerSmallPanel()
  const inbounds = [sampleInbound(), sampleInbound({ uuid: uuid(102), tag: 'SECOND' })]
  answer(listConfigProfiles, () => ({ total: 1, configProfiles: [sampleConfigProfile({ inbounds })] }))
  answer(listHosts, () => [host, other])
  answer(getHost, () => host)
  answer(updateHost, ({ remark = host.remark, isDisabled = false }) => ({ ...host, remark, isDisabled }))
  answer(planChange, () => losing)
})

async function switchOff(): Promise<void> {
  await showPage(`${HOSTS}?edit=${host.uuid}`)
  await edit.getByRole('switch', { name: 'Enabled' }).click()
  await save.click()
}

it('a change that takes nothing away is saved with one click', async () => {
  await showPage(`${HOSTS}?edit=${host.uuid}`)
  await edit.getByLabelText('Remark').fill('Poland 2')
  await save.click()
  await expect.poll(() => requests(updateHost)).toEqual([{ uuid: host.uuid, remark: 'Poland 2' }])
  expect(requests(planChange)).toEqual([])
})

it('a host that is switched off says who loses it', async () => {
  await switchOff()
  await expect
    .element(question)
    .toMatchTextContent('5 users lose all access. 2 users lose a part of it. 1 of them is online now, on whichever node.')
  expect(await violations()).toEqual([])
  expect(requests(planChange)).toEqual([{ saveHost: { uuid: host.uuid, isDisabled: true, inboundUuid: uuid(101) } }])
  expect(requests(updateHost)).toEqual([])
  await question.getByRole('button', { name: 'Save now' }).click()
  await expect.poll(() => requests(updateHost)).toEqual([{ uuid: host.uuid, isDisabled: true }])
})

it('a plan that cannot be made is said, and hinders no save', async () => {
  refuse(planChange, { status: 500, message: 'Server error' })
  await switchOff()
  await expect.element(question).toMatchTextContent('What this does to the fleet could not be worked out.')
  await question.getByRole('button', { name: 'Save now' }).click()
  await expect.poll(() => requests(updateHost)).toHaveLength(1)
})

it('the deletion of a host says what it does', async () => {
  answer(deleteHost, () => ({ isDeleted: true }))
  await showPage(`${HOSTS}?edit=${host.uuid}`)
  await edit.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const asked = page.getByRole('dialog', { name: 'Delete host Poland?' })
  await expect.element(asked.getByRole('group', { name: 'What this does' })).toMatchTextContent('5 users lose all access.')
  await asked.getByRole('button', { name: 'Delete' }).click()
  await expect.poll(() => requests(deleteHost)).toEqual([{ uuid: host.uuid }])
  expect(requests(planChange)).toEqual([{ deleteHost: { uuid: host.uuid } }])
})

it('what is done with many hosts says it for all of them, and asks where it takes something away', async () => {
  for (const endpoint of [bulkDisableHosts, bulkDeleteHosts, bulkSetHostsInbound]) answer(endpoint, () => [])
  await showPage(HOSTS)
  const uuids = [host.uuid, other.uuid]
  for (const { remark } of [host, other]) await page.getByRole('checkbox', { name: `Select ${remark}` }).click()
  const bar = page.getByRole('region', { name: 'Selected hosts' })
  const dialog = (name: string) => page.getByRole('dialog', { name })

  await bar.getByRole('button', { name: 'Disable' }).click()
  const disabling = dialog('Disable 2 hosts?')
  await expect.element(disabling).toMatchTextContent('5 users lose all access.')
  await disabling.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(disabling).not.toBeInTheDocument()
  expect(requests(bulkDisableHosts)).toEqual([])

  answer(planChange, () => samplePlan())
  await bar.getByRole('button', { name: 'Disable' }).click()
  await expect.poll(() => requests(bulkDisableHosts)).toEqual([{ uuids }])

  answer(planChange, () =>
    samplePlan({ ...losing, hosts: [host, other].map((one) => ({ uuid: one.uuid, name: one.remark, loses: 'itself' })) }),
  )
  await bar.getByRole('button', { name: 'Delete' }).click()
  const deleting = dialog('Delete 2 hosts?')
  await expect.element(deleting).toMatchTextContent(/Hosts that go\s*Poland, Norway/)
  await deleting.getByRole('button', { name: 'Delete' }).click()
  await expect.poll(() => requests(bulkDeleteHosts)).toEqual([{ uuids }])
  expect(requests(planChange)).toEqual([
    { saveHosts: { uuids, isDisabled: true } },
    { saveHosts: { uuids, isDisabled: true } },
    { deleteHosts: { uuids } },
  ])
})
