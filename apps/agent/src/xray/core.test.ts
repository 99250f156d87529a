import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { engine } from '../../test/engine.ts'
import { ALICE, freePorts, hashesOf, nodeConfig, type NodePorts, until } from '../../test/node.ts'
import { coreStarter } from '../features/core/core.actions.ts'
import { effectiveConfig, type XrayConfig, xrayConfig } from './config.ts'
import { CoreFiles } from './core-files.ts'
import { Core } from './core.ts'
import { isAlive, startProcess, strayProcesses } from './process.ts'

const log = pino({ level: 'silent' })

/** Fails when the files of the generation in force are deleted: an agent killed just then could not go on. */
class WatchedFiles extends CoreFiles {
  override forgetGeneration(generation: number): void {
    if (this.readState()?.generation === generation) throw new Error('deleted what is in force')
    super.forgetGeneration(generation)
  }

  override forgetOtherGenerations(kept: number): void {
    if (this.readState()?.generation !== kept) throw new Error('deleted what is in force')
    super.forgetOtherGenerations(kept)
  }
}

describe.skipIf(!engine.xray)('the core of an agent', () => {
  let folder: string
  let files: CoreFiles
  let ports: NodePorts
  let apiPort: number
  let core: Core

  const config = (change: Partial<NodePorts> = {}): XrayConfig => xrayConfig.parse(nodeConfig({ ...ports, ...change }, [ALICE]))
  const start = (given = config()) => core.exclusive(() => core.start(given, hashesOf([ALICE])))
  const processes = () => strayProcesses(files.configPrefix, undefined)
  const open = async () => {
    core = new Core({ xray: engine.xray ?? '', version: '1.2.3', apiPort, files, log })
    await core.open()
  }

  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'causeway-core-'))
    files = new WatchedFiles(folder)
    const [api = 0, vless = 0, trojan = 0, shadowsocks = 0] = await freePorts(4)
    ports = { vless, trojan, shadowsocks }
    apiPort = api
    await open()
  })
  afterEach(async () => {
    vi.useRealTimers()
    await core.exclusive(() => core.stop())
    await core.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('leaves no process behind that could not be noted down, as on a full disk', async () => {
    const obstacle = path.join(folder, 'state.json.new')
    mkdirSync(obstacle)
    await expect(start()).rejects.toThrow('EISDIR')
    expect(processes()).toEqual([])
    expect(core.state()).toMatchObject({ status: 'stopped', coreId: null })
    rmSync(obstacle, { recursive: true })
    await start()
    expect(core.state().status).toBe('running')
  })

  it('is ended by the next start where an earlier agent left its API open, which its state tells by naming no hashes, and kept by it otherwise', async () => {
    const begin = async () => (await coreStarter(core, false, [])(config(), hashesOf([ALICE]), false)).coreId
    const first = await begin()
    expect(await begin()).toBe(first)
    await core.close()
    const { generation = 0 } = files.readState() ?? {}
    const { routing: _closed, ...asBefore } = files.readConfig(generation)
    writeFileSync(files.configFile(generation), JSON.stringify(asBefore))
    await open()
    expect(core.state()).toMatchObject({ status: 'running', coreId: first, hashes: null })
    const second = await begin()
    expect(core.state().hashes).toEqual(hashesOf([ALICE]))
    expect(second).not.toBe(first)
    expect(await begin()).toBe(second)
    expect(processes()).toHaveLength(1)
  })

  it('goes back to the config before as soon as the disk allows', async () => {
    await start()
    const obstacle = path.join(folder, 'state.json.new')
    mkdirSync(obstacle)
    await expect(start()).rejects.toThrow('EISDIR')
    rmSync(obstacle, { recursive: true })
    await until('the core is back', () => core.state().status === 'running')
    expect(processes()).toHaveLength(1)
  })

  it('ends a core it has lost sight of, which would keep the ports of the next', async () => {
    writeFileSync(files.configFile(99), JSON.stringify(effectiveConfig(config(), { apiPort })))
    const lost = await startProcess(engine.xray ?? '', ['run', '-c', files.configFile(99)], folder, files.logFile)
    await until('the lost core listens', () => isListening(apiPort))
    await start()
    expect(isAlive(lost)).toBe(false)
    expect(processes()).toHaveLength(1)
  })

  it('never lacks the config in force on its way back from one that cannot run', async () => {
    await start()
    const taken = net.createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => taken.once('listening', resolve))
    const address = taken.address()
    const vless = address !== null && typeof address === 'object' ? address.port : 0
    await expect(start(config({ vless }))).rejects.toThrow('address already in use')
    taken.close()
    expect(core.state().status).toBe('running')
  })

  it('has forgotten its config before it ends, so that an agent killed meanwhile does not start it again', async () => {
    await start()
    let stateAtEnd: unknown
    vi.spyOn(core.samples, 'takeFinal').mockImplementation(() => {
      stateAtEnd = files.readState()
      return Promise.resolve()
    })
    await core.exclusive(() => core.stop())
    expect(stateAtEnd).toBeUndefined()
    expect(readdirSync(folder).filter((name) => name.startsWith('config-'))).toEqual([])
  })

  it('outlives a check of its log that fails', async () => {
    await core.close()
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    await open()
    const check = vi.spyOn(files, 'boundLog').mockImplementation(() => {
      throw new Error('ENOSPC: no space left on device')
    })
    vi.advanceTimersByTime(60_000)
    expect(check).toHaveBeenCalledTimes(2)
  })
})

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
