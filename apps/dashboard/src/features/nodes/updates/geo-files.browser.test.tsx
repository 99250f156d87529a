import {
  deleteGeoFile,
  GEO_PIECE_BYTES,
  getGeoFiles,
  getNodeUpdates,
  uploadGeoFile,
  type GeoFiles,
  type NodeUpdates,
} from '@causeway/contract'
import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { answer, requests } from '../../../../test/fake-api.ts'
import { uuid } from '../../../../test/samples.ts'
import { showPage } from '../../../../test/screen.tsx'
import { answerSmallPanel } from '../../../../test/small-panel.ts'

const NODES = '/dashboard/management/nodes'
const VERSION = '2026.11.27.1a2b3c4d'

const node = (number: number, name: string, geoVersion: string | null): NodeUpdates['nodes'][number] => ({
  uuid: uuid(number),
  name,
  countryCode: 'DE',
  agentVersion: '0.2.0',
  coreVersion: '26.3.27',
  geoVersion,
  usersOnline: 3,
  isConnected: true,
  isUpdatable: true,
  older: geoVersion === null || geoVersion === VERSION ? [] : ['geo'],
})
const file = (name: string, revision: number): GeoFiles['files'][number] => ({
  name,
  kind: 'geosite',
  bytes: 9_800_000,
  lists: 1412,
  digest: 'a'.repeat(64),
  revision,
  uploadedAt: '2026-11-27T00:00:00.000Z',
  uploadedBy: 'admin',
})

let stored: GeoFiles
beforeEach(() => {
  answerSmallPanel()
  stored = { version: null, files: [], missing: [] }
  answer(getGeoFiles, () => stored)
  answer(getNodeUpdates, () => ({
    carried: { agent: '0.2.0', core: '26.3.27', geo: stored.version, processors: [] },
    nodes: [node(1, 'Oslo', ''), node(2, 'Bergen', VERSION), node(3, 'Older', null)],
    last: null,
  }))
  answer(uploadGeoFile, ({ name, bytes, offset, content }) => {
    const receivedBytes = offset + atob(content).length
    if (receivedBytes === bytes) {
      const missing = [{ file: name, list: 'ru', profiles: ['Main', 'Side'] }]
      stored = { version: VERSION, files: [file('own.dat', 4), file(name, 1)], missing }
    }
    return { receivedBytes }
  })
  answer(deleteGeoFile, ({ name }) => {
    stored = { ...stored, files: stored.files.filter((one) => one.name !== name) }
    return { isDeleted: true }
  })
})

it('JOIN-010 geo files are uploaded in pieces, told of with what they lack, and offered to the nodes that have others', async () => {
  await showPage(NODES)
  await page.getByRole('button', { name: 'Geo files' }).click()
  const dialog = page.getByRole('dialog')
  await expect.element(dialog).toMatchTextContent(/No geo files have been uploaded/)
  const input = document.querySelector<HTMLInputElement>('input[type=file]')! // the dialog has one
  await userEvent.upload(page.elementLocator(input), new File([new Uint8Array(GEO_PIECE_BYTES + 5)], 'geosite.dat'))
  const list = dialog.getByRole('list', { name: 'Geo files of nodes' })
  await expect.element(list).toMatchTextContent(/geosite\.dat.*1,412 lists.*revision 1/)
  expect(requests(uploadGeoFile).map(({ name, bytes, offset }) => [name, bytes, offset])).toEqual([
    ['geosite.dat', GEO_PIECE_BYTES + 5, 0],
    ['geosite.dat', GEO_PIECE_BYTES + 5, GEO_PIECE_BYTES],
  ])
  await expect.element(dialog.getByRole('alert')).toMatchTextContent(/geosite\.dat:ru \(Main and Side\)/)
  await expect.element(dialog).toMatchTextContent(/1 of 2 connected nodes have it/)

  await dialog.getByRole('button', { name: 'Delete geosite.dat' }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect.element(list).not.toMatchTextContent(/geosite\.dat/)
  await expect.element(list).toMatchTextContent(/own\.dat/)

  await dialog.getByRole('button', { name: 'Update nodes…' }).click()
  const update = page.getByRole('dialog', { name: new RegExp(`geo files\\W+${VERSION}`) })
  await expect.element(update).toMatchTextContent(/3 users who are online now reconnect\./)
  await expect.element(update.getByRole('checkbox')).toHaveLength(1)
  await expect.element(update.getByRole('checkbox', { name: /Oslo\W+none\W+2026/ })).toBeChecked()
})
