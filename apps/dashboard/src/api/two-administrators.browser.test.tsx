import {
  getHost,
  getHwidSettings,
  getInternalSquad,
  getNode,
  getSystemStats,
  getUser,
  listConfigProfiles,
  listHosts,
  listInternalSquads,
  listNodes,
  listUsers,
  listUserTags,
  planChange,
  updateHost,
  updateInternalSquad,
  updateNode,
  updateUser,
  type Host,
  type InternalSquad,
  type Node,
  type User,
} from '@causeway/contract'
import { expect, it } from 'vitest'
import type { RenderResult } from 'vitest-browser-react'
import { answer, refuse, requests } from '../../test/fake-api.ts'
import {
  sampleConfigProfile,
  sampleHost,
  sampleInbound,
  sampleInternalSquad,
  sampleNode,
  samplePlan,
  sampleSystemStats,
  sampleUser,
  uuid,
} from '../../test/samples.ts'
import { showPage } from '../../test/screen.tsx'
import { answerSmallPanel } from '../../test/small-panel.ts'

// One thing is open here while a colleague saves it elsewhere.

const NOTICE = 'Another administrator has just changed this'
const second = sampleInbound({ uuid: uuid(102), tag: 'TROJAN_TCP', type: 'trojan', port: 8443 })
const profile = sampleConfigProfile({ inbounds: [sampleInbound(), second] })

const notice = (screen: RenderResult) => screen.getByRole('alert').filter({ hasText: NOTICE })
/** The notice says which field somebody else changed, and to what. */
const told = (screen: RenderResult, field: string, value: string) =>
  expect.element(notice(screen).filter({ hasText: `${field}${value}` })).toBeVisible()
const save = (screen: RenderResult) => screen.getByRole('button', { name: 'Save', exact: true })

function merged<Entity extends object>(before: Entity, change: Record<string, unknown>): Entity {
  return { ...before, ...change } // what was sent has been held against the contract, as the answer will be
}

function serveUser(user: User): { user: User } {
  const server = { user }
  answer(listUsers, () => ({ users: [server.user], total: 1 }))
  answer(getUser, () => server.user)
  answer(getSystemStats, () => sampleSystemStats())
  answer(listUserTags, () => ({ tags: [] }))
  answer(getHwidSettings, () => ({ isDeviceLimitEnabled: false, fallbackDeviceLimit: 0 }))
  answer(listInternalSquads, () => ({ total: 0, internalSquads: [] }))
  answer(updateUser, (change) => (server.user = merged(server.user, change)))
  return server
}

function serveHost(host: Host): { host: Host } {
  const server = { host }
  answer(listHosts, () => [server.host])
  answer(planChange, () => samplePlan())
  answer(getHost, () => server.host)
  answer(listNodes, () => [])
  answer(listConfigProfiles, () => ({ total: 1, configProfiles: [profile] }))
  answer(updateHost, (change) => (server.host = merged(server.host, change)))
  return server
}

function serveNode(node: Node): { node: Node } {
  const server = { node }
  answerSmallPanel()
  answer(listNodes, () => [server.node])
  answer(getNode, () => server.node)
  answer(listConfigProfiles, () => ({ total: 1, configProfiles: [profile] }))
  answer(updateNode, (change) => (server.node = merged(server.node, change)))
  return server
}

function serveSquad(squad: InternalSquad): { squad: InternalSquad } {
  const server = { squad }
  answer(listInternalSquads, () => ({ total: 1, internalSquads: [server.squad] }))
  answer(getInternalSquad, () => server.squad)
  answer(planChange, () => samplePlan())
  answer(listConfigProfiles, () => ({ total: 1, configProfiles: [profile] }))
  answer(updateInternalSquad, ({ inbounds = [] }) => {
    const chosen = profile.inbounds.filter((inbound) => inbounds.includes(inbound.uuid))
    server.squad = { ...server.squad, inbounds: chosen, info: { ...server.squad.info, inboundsCount: chosen.length } }
    return server.squad
  })
  return server
}

it('a user: what a colleague changed is shown and kept, and what both changed is asked about', async () => {
  const server = serveUser(sampleUser({ description: 'first', telegramId: 1 }))
  const screen = await showPage(`/dashboard/management/users?edit=${server.user.uuid}`)
  await screen.getByRole('textbox', { name: 'Description' }).fill('mine')
  server.user = { ...server.user, description: 'theirs', telegramId: 99, tag: 'GOLD' }
  await save(screen).click()
  await told(screen, 'Telegram ID', '99')
  await told(screen, 'Description', 'theirs')
  await told(screen, 'Tag', 'GOLD')
  await expect.element(screen.getByRole('textbox', { name: 'Telegram ID' })).toHaveValue('99')
  await expect.element(screen.getByRole('textbox', { name: 'Description' })).toHaveValue('mine')
  await expect.element(save(screen)).toBeDisabled()
  expect(requests(updateUser)).toEqual([])

  await notice(screen).getByRole('button', { name: 'Keep what I have' }).click()
  await save(screen).click()
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument()
  expect(server.user).toMatchObject({ description: 'mine', telegramId: 99, tag: 'GOLD' })
  expect(requests(updateUser)[0]).not.toHaveProperty('tag')
})

it('a user: one’s own save is nobody else’s change, also while the user moves traffic', async () => {
  const server = serveUser(sampleUser({ description: 'first', usedTrafficBytes: 1 }))
  // Each read finds more traffic, so that no two of them are the same.
  answer(getUser, () => (server.user = { ...server.user, usedTrafficBytes: server.user.usedTrafficBytes + 1 }))
  const screen = await showPage(`/dashboard/management/users?edit=${server.user.uuid}`)
  await screen.getByRole('textbox', { name: 'Description' }).fill('mine')
  const notices: string[] = []
  const observer = new MutationObserver(() => {
    for (const { textContent } of document.querySelectorAll('[role=alert]'))
      if (textContent?.includes(NOTICE)) notices.push(textContent)
  })
  observer.observe(document.body, { subtree: true, childList: true })
  await save(screen).click()
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument()
  observer.disconnect()
  expect(notices).toEqual([])
  expect(requests(updateUser)).toMatchObject([{ description: 'mine' }])
})

it('a host: a colleague’s address and an ALPN from elsewhere survive our change of the port', async () => {
  const server = serveHost(sampleHost({ alpn: 'h2,h3', fingerprint: 'unsafe' }))
  const screen = await showPage(`/dashboard/management/hosts?edit=${server.host.uuid}`)
  await screen.getByRole('textbox', { name: 'Port' }).fill('8443')
  server.host = { ...server.host, address: 'new.example.com' }
  await save(screen).click()
  await told(screen, 'Address', 'new.example.com')
  await expect.element(screen.getByRole('textbox', { name: 'Address' })).toHaveValue('new.example.com')
  expect(requests(updateHost)).toEqual([])
  await save(screen).click()
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument()
  expect(requests(updateHost)).toEqual([{ uuid: server.host.uuid, port: 8443 }])
  expect(server.host).toMatchObject({ address: 'new.example.com', port: 8443, alpn: 'h2,h3', fingerprint: 'unsafe' })
})

it('a node: a colleague’s name is taken over, theirs wins where we say so', async () => {
  const server = serveNode(sampleNode({ name: 'Warsaw', consumptionMultiplier: 1 }))
  const screen = await showPage(`/dashboard/management/nodes?edit=${server.node.uuid}`)
  await screen.getByRole('textbox', { name: 'Address' }).fill('mine.example.com')
  server.node = { ...server.node, name: 'Kraków', address: 'theirs.example.com' }
  await save(screen).click()
  await told(screen, 'Internal name', 'Kraków')
  await told(screen, 'Address', 'theirs.example.com')
  await expect.element(screen.getByRole('textbox', { name: 'Internal name' })).toHaveValue('Kraków')
  await notice(screen).getByRole('button', { name: 'Load their version' }).click()
  await expect.element(screen.getByRole('textbox', { name: 'Address' })).toHaveValue('theirs.example.com')
  await screen.getByRole('textbox', { name: 'Port', exact: true }).fill('3333')
  await save(screen).click()
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument()
  expect(requests(updateNode)).toEqual([{ uuid: server.node.uuid, port: 3333 }])
})

it('a squad: inbounds that a colleague gave it are not taken away unseen', async () => {
  const server = serveSquad(sampleInternalSquad({ inbounds: [] }))
  const screen = await showPage(`/dashboard/management/internal-squads?edit=${server.squad.uuid}`)
  await screen.getByRole('tab', { name: 'Flat list' }).click()
  await screen.getByRole('checkbox').first().click()
  server.squad = { ...server.squad, inbounds: [second] }
  const update = screen.getByRole('button', { name: 'Update', exact: true })
  await update.click()
  await told(screen, 'Inbounds', 'TROJAN_TCP')
  await expect.element(update).toBeDisabled()
  expect(requests(updateInternalSquad)).toEqual([])
  await notice(screen).getByRole('button', { name: 'Load their version' }).click()
  await screen.getByRole('checkbox').first().click()
  await update.click()
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument()
  expect(server.squad.inbounds).toHaveLength(2)
})

it('what was deleted meanwhile cannot be saved, and what was typed stays', async () => {
  const server = serveHost(sampleHost())
  const screen = await showPage(`/dashboard/management/hosts?edit=${server.host.uuid}`)
  await screen.getByRole('textbox', { name: 'Remark' }).fill('too late')
  refuse(getHost, { status: 404, code: 'A046', message: 'Host not found' })
  await save(screen).click()
  await expect.element(screen.getByText('Another administrator has just deleted this')).toBeVisible()
  await expect.element(save(screen)).toBeDisabled()
  await expect.element(screen.getByRole('textbox', { name: 'Remark' })).toHaveValue('too late')
})
