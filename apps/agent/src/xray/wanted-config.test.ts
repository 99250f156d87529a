import { mkdtemp, readdir, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ALICE, BOB, hashesOf, nodeConfig } from '../../test/node.ts'
import type { ClientChange } from './config.ts'
import { CoreFiles } from './core-files.ts'
import { WantedConfig } from './wanted-config.ts'

const ports = { vless: 1, trojan: 2, shadowsocks: 3 }
const bobAdded: ClientChange[] = [
  {
    kind: 'add',
    tag: 'VLESS_A',
    client: { protocol: 'vless', email: 'bob', level: 0, hashId: BOB.uuid, id: BOB.uuid, flow: '' },
  },
  { kind: 'add', tag: 'TROJAN_B', client: { protocol: 'trojan', email: 'bob', level: 0, hashId: BOB.uuid, password: 'p' } },
  {
    kind: 'add',
    tag: 'SS_C',
    client: { protocol: 'shadowsocks', email: 'bob', level: 0, hashId: BOB.uuid, password: 'p', cipherType: 7, ivCheck: false },
  },
]

describe('WantedConfig', () => {
  let folder: string
  let files: CoreFiles
  const write = () => WantedConfig.write(files, nodeConfig(ports, [ALICE]), hashesOf([ALICE]), { apiPort: 4100 })
  const read = () => {
    const state = new CoreFiles(folder).readState()
    return state && WantedConfig.read(files, state, { apiPort: 61_000 })
  }

  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'causeway-wanted-'))
    files = new CoreFiles(folder)
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  it('is not in force before it is saved', () => {
    const first = write()
    expect(read()).toBeUndefined()
    first.save(null)
    write().record(bobAdded)
    expect(read()?.tracked.hashes).toEqual(hashesOf([ALICE]))
  })

  it('is read again with the users changed live', () => {
    const wanted = write()
    wanted.save(null)
    wanted.record(bobAdded)
    wanted.record([{ kind: 'remove', tag: 'VLESS_A', username: 'alice' }])
    expect(read()?.tracked.hashes).toEqual(wanted.tracked.hashes)
    expect(read()?.withUsers()).toEqual(wanted.withUsers())
  })

  it('has the same users and hashes when folded, in one file', async () => {
    const wanted = write()
    wanted.save(null)
    wanted.record(bobAdded)
    const folded = wanted.folded({ apiPort: 4100 })
    expect(folded.tracked.hashes).toEqual(hashesOf([ALICE, BOB]))
    expect(folded.withUsers()).toEqual(wanted.withUsers())
    folded.save(null)
    folded.forgetOthers()
    expect((await readdir(folder)).toSorted()).toEqual([path.basename(folded.file), 'state.json'])
    expect(read()?.tracked.hashes).toEqual(hashesOf([ALICE, BOB]))
  })

  it('leaves the one before in force when it is given up', () => {
    const before = write()
    before.save(null)
    write().forget()
    expect(read()?.tracked.hashes).toEqual(before.tracked.hashes)
  })

  it('follows the port of the API to the next start', () => {
    expect(write().folded({ apiPort: 4200 }).withUsers()['api']).toMatchObject({ listen: '127.0.0.1:4200' })
  })
})
