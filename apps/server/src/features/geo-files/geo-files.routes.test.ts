import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import * as api from '@causeway/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeFleet } from '../../../test/fleet.ts'
import { geoipFile, geositeFile } from '../../../test/geo.ts'
import { testServer, type TestServer } from '../../../test/server.ts'
import { findGeoPackage } from '../../ground/node-files/geo-package.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer()
  await makeFleet(server)
})
afterAll(() => server.close())

const call: TestServer['call'] = (endpoint, input) => server.call(endpoint, input)
const piece = (name: string, whole: Buffer, offset = 0, end = whole.length) =>
  call(api.uploadGeoFile, { name, bytes: whole.length, offset, content: whole.subarray(offset, end).toString('base64') })
const held = async () => (await call(api.getGeoFiles, {})).files.map(({ name, revision, lists }) => [name, revision, lists])

test('JOIN-010 a geo file arrives in pieces, is checked as a whole, and replaces the one before as another revision', async () => {
  expect(await call(api.getGeoFiles, {})).toEqual({ version: null, files: [], missing: [] })
  await piece('own.dat', geositeFile('STAYS'))
  const sites = geositeFile('ADS', 'CN')
  expect(await piece('geosite.dat', sites, 0, 20)).toEqual({ receivedBytes: 20 })
  expect(await held()).toEqual([['own.dat', 1, 1]])
  await expect(piece('geosite.dat', sites, 25, 30)).rejects.toThrow('does not follow')
  expect(await piece('geosite.dat', sites, 20)).toEqual({ receivedBytes: sites.length })
  await expect(piece('geosite.dat', sites, 20)).rejects.toThrow('does not follow')
  const first = await call(api.getGeoFiles, {})
  expect(first.version).toMatch(/^\d{4}\.\d\d\.\d\d\.[0-9a-f]{8}$/)
  expect(first.files[0]).toMatchObject({ name: 'geosite.dat', kind: 'geosite', bytes: sites.length, uploadedBy: 'admin' })

  await expect(piece('geosite.dat', geoipFile('IR'))).rejects.toThrow(
    'geosite.dat is not a file of lists that Xray reads: it holds addresses, not domains.',
  )
  await expect(piece('geosite.dat', sites.subarray(0, -2))).rejects.toThrow('it ends in the middle')
  await expect(call(api.uploadGeoFile, { name: '../a.dat', bytes: 1, offset: 0, content: 'YQ==' })).rejects.toThrow(
    'must be a file name',
  )
  await expect(call(api.uploadGeoFile, { name: 'a.dat', bytes: 65_000_000, offset: 0, content: 'YQ==' })).rejects.toThrow(
    'must be at most 64 MB',
  )
  expect(await call(api.getGeoFiles, {})).toEqual(first)

  await piece('geosite.dat', geositeFile('ADS', 'CN', 'IR'))
  expect(await held()).toEqual([
    ['geosite.dat', 2, 3],
    ['own.dat', 1, 1],
  ])
  expect((await call(api.getGeoFiles, {})).version).not.toBe(first.version)
})

test('JOIN-010 lists that profiles name and the files lack are told with the profiles', async () => {
  const rules = (domain: string) => [
    { domain: [domain, 'geosite:ads', 'geoip.example'], ip: ['geoip:ir'], outboundTag: 'DIRECT' },
  ]
  const config = (tag: string, more: object[]) => ({
    inbounds: [{ tag, port: 443, protocol: 'vless', settings: { clients: [], decryption: 'none' } }],
    outbounds: [{ tag: 'DIRECT', protocol: 'freedom' }],
    routing: { rules: more },
  })
  await call(api.createSnippet, { name: 'lists', snippet: rules('geosite:ru@!ads') })
  await call(api.createConfigProfile, { name: 'By snippet', config: config('A', [{ snippet: 'lists' }]) })
  await call(api.createConfigProfile, { name: 'Directly', config: config('B', rules('geosite:ru')) })
  await call(api.createConfigProfile, { name: 'Content', config: config('C', rules('geosite:cn')) })
  expect((await call(api.getGeoFiles, {})).missing).toEqual([
    { file: 'geosite.dat', list: 'ru', profiles: ['By snippet', 'Directly'] },
  ])
})

test('JOIN-010 nodes with other geo files are offered them, and the files stay as they are while nodes are updated', async () => {
  const { db } = server.ctx
  const { version } = await call(api.getGeoFiles, {})
  await db.updateTable('nodeStates').set({ isConnected: true, isUpdatable: true, geoVersion: version }).execute()
  await expect(call(api.startNodeUpdate, { part: 'geo' })).rejects.toThrow('None of these nodes')
  const [other, bystander] = (await call(api.getNodeUpdates, {})).nodes
  await db
    .updateTable('nodeStates')
    .set({ geoVersion: '' })
    .where('nodeId', '=', (from) =>
      from
        .selectFrom('nodes')
        .select('id')
        .where('uuid', '=', other?.uuid ?? ''),
    )
    .execute()
  const seen = await call(api.getNodeUpdates, {})
  expect([seen.carried.geo, seen.nodes.map(({ older }) => older)]).toEqual([version, [['geo'], []]])
  const update = await call(api.startNodeUpdate, { part: 'geo' })
  expect(update).toMatchObject({ part: 'geo', version, nodes: [{ uuid: other?.uuid }] })
  expect(update.nodes.map(({ uuid }) => uuid)).not.toContain(bystander?.uuid)
  await expect(piece('own.dat', geositeFile('NEW'))).rejects.toThrow('Nodes are being updated.')
  await expect(call(api.deleteGeoFile, { name: 'own.dat' })).rejects.toThrow('Nodes are being updated.')
  await call(api.takeBackNodeUpdate, { uuid: update.uuid })

  const found = await findGeoPackage(server.ctx)
  const unpacked = (name: string) => execFileSync('tar', ['-xzOf', found?.file ?? '', `geo/${name}`])
  expect([found?.version, unpacked('version').toString().trim()]).toEqual([version, version])
  expect(unpacked('geosite.dat')).toEqual(geositeFile('ADS', 'CN', 'IR'))
  expect(readFileSync(found?.file ?? '').length).toBe(found?.bytes)
  expect(await findGeoPackage(server.ctx)).toEqual(found)

  expect(await call(api.deleteGeoFile, { name: 'geosite.dat' })).toEqual({ isDeleted: true })
  await expect(call(api.deleteGeoFile, { name: 'geosite.dat' })).rejects.toThrow('There is no such geo file')
  expect(await held()).toEqual([['own.dat', 1, 1]])
  for (let count = 2; count <= api.MOST_GEO_FILES; count++) await piece(`own-${count}.dat`, geositeFile('ONE'))
  await expect(piece('more.dat', geositeFile('ONE'))).rejects.toThrow('Delete one first')
})
