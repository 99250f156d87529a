import { mkdir, mkdtemp, readdir, rm, truncate, utimes, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Counter, XrayApi } from './api.ts'
import { groupCounters, type RunningCore, Samples } from './samples.ts'

describe('groupCounters', () => {
  it('puts both directions of each user, inbound and outbound together and passes over the rest', () => {
    const counters = [
      ['user>>>alice>>>traffic>>>uplink', 1],
      ['user>>>alice>>>traffic>>>downlink', 2],
      ['user>>>bob>>>traffic>>>downlink', 3],
      ['inbound>>>A>>>traffic>>>uplink', 4],
      ['outbound>>>DIRECT>>>traffic>>>downlink', 5],
      ['user>>>alice>>>online', 6],
      ['something>>>else>>>traffic>>>uplink', 7],
    ] as const
    expect(groupCounters(counters.map(([name, value]) => ({ name, value })))).toEqual({
      users: [
        { username: 'alice', uplink: 1, downlink: 2 },
        { username: 'bob', uplink: 0, downlink: 3 },
      ],
      inbounds: [{ inbound: 'A', uplink: 4, downlink: 0 }],
      outbounds: [{ outbound: 'DIRECT', uplink: 0, downlink: 5 }],
    })
  })

  it('takes names that are names of members of objects', () => {
    const counters = [{ name: 'user>>>__proto__>>>traffic>>>uplink', value: 1 }]
    expect(groupCounters(counters).users).toEqual([{ username: '__proto__', uplink: 1, downlink: 0 }])
  })
})

describe('Samples', () => {
  let folder: string
  let core: RunningCore | undefined
  let counters: Counter[]
  let samples: Samples
  const openSamples = () => new Samples(folder, () => core, pino({ level: 'silent' }))
  const run = (coreId: string, uplink: number) => {
    counters = [{ name: 'user>>>alice>>>traffic>>>uplink', value: uplink }]
    core = {
      coreId,
      startedAt: new Date(),
      process: { pid: process.pid, started: '1' },
      // Only the counters are read here; the rest of the interface is proven against the real Xray.
      api: { counters: () => Promise.resolve(counters) } as unknown as XrayApi,
    }
  }

  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'causeway-samples-'))
    core = undefined
    samples = openSamples()
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  it('has nothing to say while no core runs', async () => {
    expect(await samples.take()).toBeUndefined()
    expect(samples.endedSamples()).toEqual([])
  })

  it('hands over the last sample of each core that ended, oldest first, also after its own restart', async () => {
    for (const [at, coreId] of ['one', 'two', 'three'].entries()) {
      run(coreId, 10 + at)
      const { current } = { current: await samples.take() }
      expect(current).toMatchObject({ coreId, users: [{ username: 'alice', uplink: 10 + at }] })
      await utimes(path.join(folder, 'samples', `${coreId}.json`), 1000 + at, 1000 + at)
    }
    const reopened = openSamples()
    expect(reopened.endedSamples().map(({ coreId }) => coreId)).toEqual(['one', 'two'])
    reopened.acknowledge(['one', 'three', '../../etc/passwd'])
    expect(reopened.endedSamples()).toMatchObject([{ coreId: 'two', users: [{ uplink: 11 }] }])
    core = undefined
    expect(reopened.endedCores()).toEqual(['two', 'three'])
  })

  it('keeps nothing of a core that counted nothing, but notes when counters were cleared', async () => {
    run('one', 0)
    await samples.take()
    expect(await readdir(path.join(folder, 'samples'))).toEqual([])
    run('one', 5)
    await samples.take()
    run('one', 0)
    await samples.take()
    core = undefined
    expect(samples.endedSamples()).toMatchObject([{ users: [{ uplink: 0 }] }])
  })

  it('goes on telling what is counted when the disk is full, and keeps nothing older than that', async () => {
    run('one', 5)
    await samples.take()
    const obstacle = path.join(folder, 'samples', 'one.json.new')
    await mkdir(obstacle)
    run('one', 7)
    expect(await samples.take()).toMatchObject({ users: [{ uplink: 7 }] })
    core = undefined
    expect(samples.endedSamples()).toEqual([])
    await rm(obstacle, { recursive: true })
    run('one', 7)
    await samples.take()
    core = undefined
    expect(samples.endedSamples()).toMatchObject([{ users: [{ uplink: 7 }] }])
  })

  it('gives up the oldest of what no server asks for, before it fills the disk', async () => {
    const file = (name: string) => path.join(folder, 'samples', `${name}.json`)
    for (const [at, coreId] of ['oldest', 'older', 'newest'].entries()) {
      await writeFile(file(coreId), '')
      await truncate(file(coreId), 90_000_000) // a hole, which takes no room on the disk
      await utimes(file(coreId), 1000 + at, 1000 + at)
    }
    samples.boundEnded()
    expect(samples.endedCores()).toEqual(['older', 'newest'])
    await Promise.all(Array.from({ length: 500 }, (_, index) => writeFile(file(`later-${index}`), '')))
    samples.boundEnded()
    expect(samples.endedCores()).toHaveLength(500)
    expect(samples.endedCores()).not.toContain('newest')
  })

  it('answers overlapping calls in order', async () => {
    run('one', 1)
    const first = samples.take()
    counters = [{ name: 'user>>>alice>>>traffic>>>uplink', value: 2 }]
    const taken = await Promise.all([first, samples.take()])
    expect(taken[1]?.sampledAt.localeCompare(taken[0]?.sampledAt ?? '')).toBeGreaterThanOrEqual(0)
    core = undefined
    expect(samples.endedSamples()).toMatchObject([{ users: [{ uplink: 2 }] }])
  })

  it('does not keep an ending core alive when its counters cannot be read', async () => {
    run('one', 1)
    if (core) core.api = { counters: () => Promise.reject(new Error('gone')) } as unknown as XrayApi // as above
    await expect(samples.takeFinal()).resolves.toBeUndefined()
    await expect(samples.take()).rejects.toThrow('gone')
  })
})
