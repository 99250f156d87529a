import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ENGINE_BUILD } from './find-engine.ts'
import { loadValidator } from './load-validator.ts'
import { corpus, listNames } from './validator-corpus.ts'

// The verdict of the validator for browsers is the one that the binary gives of the same configuration, in the same words.

const isBuilt = existsSync(path.join(ENGINE_BUILD, '.stamp'))
if (!isBuilt) {
  const reason = 'the engine is not built: run `npm run engine`'
  if (process.env['REQUIRE_ENGINE'] === '1') throw new Error(reason)
  console.warn(`The validator is not compared with Xray: ${reason}.`)
}

/** A field of protobuf. */
const bytes = (field: number, content: readonly number[]) => [field * 8 + 2, content.length, ...content]
const text = (value: string) => [...Buffer.from(value)]

const cases = Object.entries(corpus).flatMap(([section, configs]) =>
  Object.entries(configs).map(([name, config]) => ({
    name: `${section}: ${name}`,
    text: typeof config === 'string' ? config : JSON.stringify(config, null, 2),
  })),
)

describe.skipIf(!isBuilt)('the validator beside Xray', () => {
  let validate: (text: string) => string | null
  let folder: string
  beforeAll(async () => {
    validate = await loadValidator()
    folder = mkdtempSync(path.join(tmpdir(), 'corpus-'))
    // An address (10.0.0.1/32) and a domain (of kind 2, marked "ads") in one: a reader passes over what is not of its kind.
    const member = [
      ...bytes(1, [10, 0, 0, 1]),
      0x10,
      32,
      0x08,
      2,
      ...bytes(2, text('example')),
      ...bytes(3, [...bytes(1, text('ads')), 0x10, 1]),
    ]
    const list = listNames.flatMap((name) => bytes(1, [...bytes(1, text(name)), ...bytes(2, member)]))
    for (const file of ['geoip.dat', 'geosite.dat', 'own.dat']) writeFileSync(path.join(folder, file), Buffer.from(list))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('asks about enough, and of both kinds', () => {
    expect(cases.length).toBeGreaterThan(250)
    const refused = cases.filter(({ text }) => validate(text) !== null)
    expect(refused.length).toBeGreaterThan(75)
    expect(cases.length - refused.length).toBeGreaterThan(75)
  })

  it(`EDIT-020 says of each of ${cases.length} configurations what Xray says, with the same place in the text`, async () => {
    const differing: unknown[] = []
    const waiting = cases.entries()
    const work = async (): Promise<void> => {
      for (const [index, { name, text }] of waiting) {
        const xray = await ask(index, text)
        const validator = validate(text)
        const isSame =
          validator === null ? xray === null : xray !== null && plain(xray).endsWith(plain(validator).replace(PANIC, ''))
        if (!isSame) differing.push({ name, xray, validator })
      }
    }
    await Promise.all([work(), work()])
    expect(differing).toEqual([])
  })

  /** What the binary refuses, or null. */
  function ask(index: number, text: string): Promise<string | null> {
    const file = path.join(folder, `${index}.json`)
    writeFileSync(file, text)
    const env = { ...process.env, XRAY_LOCATION_ASSET: folder }
    return new Promise((resolve) => {
      execFile(path.join(ENGINE_BUILD, 'xray'), ['run', '-test', '-c', file], { env }, (error, stdout, stderr) => {
        const output = `${stdout}${stderr}`.replaceAll(LOGGED, '')
        const said = /(?:^|\n)(?:Failed to start|panic): (.*?)(?=\n\[signal|\n\ngoroutine|\s*$)/s.exec(output)?.[1]
        resolve(error ? (said ?? `${stdout}${stderr}`) : null)
      })
    })
  }
})

/** What Xray logs is written beside what it says: mostly before it, now and then behind it. */
const LOGGED = /^\d{4}\/\d\d\/\d\d [\d:.]+ \[\w+\] .*\n?/gm

/** What the validator says where Xray itself breaks down. */
const PANIC = /^Xray cannot read this configuration: /

/** Without the names of packages, which the validator leaves out, and the marks between the parts of a message. */
function plain(message: string): string {
  return message
    .replaceAll(/(^|> |: )(?:[a-z0-9_]+\/)+[a-z0-9_]+: /g, '$1')
    .replaceAll(' > ', ': ')
    .trim()
}
