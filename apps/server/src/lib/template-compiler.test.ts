import { performance } from 'node:perf_hooks'
import { describe, expect, test, vi } from 'vitest'
import { compileApart, compileHere, rememberCompiled } from './template-compiler.ts'

const large = `proxies: []\n${Array.from({ length: 20_000 }, (_, index) => `key${index}: ${index}`).join('\n')}`

test('a large template is compiled off the event loop, to the same as here', async () => {
  const source = { templateYaml: large, templateJson: null }
  const here = performance.eventLoopUtilization()
  const compiled = await compileApart('MIHOMO', source)
  const { active } = performance.eventLoopUtilization(here)
  expect(active).toBeLessThan(200)
  expect(compiled).toEqual(compileHere('MIHOMO', source))
  expect(compiled.problem).toBeNull()
})

test('what cannot be compiled is told in a sentence, also when it was too deep or took all memory', async () => {
  const told = (templateYaml: string) => compileApart('CLASH', { templateYaml, templateJson: null })
  expect((await told(`${large}\nkey7: 1`)).problem).toBe('The key key7 stands twice at line 20002')
  expect(await told('['.repeat(200_000))).toMatchObject({ templates: {}, problem: expect.stringMatching(/./) })
  expect(await told(`a: [${'{},'.repeat(400_000)}]`)).toMatchObject({ templates: {}, problem: 'It is too large or too deep' })
})

test('a trial refuses what would be too large, here and apart, and compiles nothing then', async () => {
  const groups = (count: number, more = '') => `proxy-groups:\n${'  - {}\n'.repeat(count)}${more}`
  const trial = { count: 200, nameLength: 30 }
  const tell = async (templateYaml: string) => compileApart('CLASH', { templateYaml, templateJson: null }, { trial })
  for (const large of [groups(1200), groups(1200, `rules:\n${'  - DOMAIN,one.example,DIRECT\n'.repeat(400)}`)])
    expect(await tell(large)).toEqual({ templates: {}, problem: expect.stringMatching(/^With 200 servers .* are the most/) })
  expect((await tell(groups(10))).problem).toBeNull()
})

test('a template is compiled again only when its own text has changed', async () => {
  const compile = rememberCompiled()
  const mihomo = { uuid: 'a', isDefault: true, templateType: 'MIHOMO', templateYaml: 'mode: rule', templateJson: null } as const
  const { templates: first } = await compile([mihomo])
  expect((await compile([{ ...mihomo }])).templates.MIHOMO).toBe(first.MIHOMO)
  expect((await compile([{ ...mihomo, templateYaml: 'mode: direct' }])).templates.MIHOMO).not.toBe(first.MIHOMO)
  expect((await compile([{ ...mihomo, templateYaml: ': [' }])).templates.MIHOMO).toBeNull()
})

test('XSQ-004 of several templates of a type the default is used unless another is asked for by its uuid', async () => {
  const template = (uuid: string, isDefault: boolean, mode: string) =>
    ({ uuid, isDefault, templateType: 'MIHOMO', templateYaml: `mode: ${mode}`, templateJson: null }) as const
  const { templates, library } = await rememberCompiled()([template('a', false, 'rule'), template('b', true, 'direct')])
  expect(templates.MIHOMO).toBe(library.get('b')?.MIHOMO)
  expect(library.get('a')).toEqual(compileHere('MIHOMO', template('a', false, 'rule')).templates)
})

/** Just long enough for a process. */
const long = `mode: rule\nrules:\n${'  - DOMAIN,one.example,DIRECT\n'.repeat(400)}`

test('however many are asked for at once, two at a time are compiled, and what is stored does not wait behind them', async () => {
  let most = 0
  const looking = setInterval(() => {
    most = Math.max(most, process.getActiveResourcesInfo().filter((name) => name === 'ProcessWrap').length)
  }, 2)
  let done = 0
  const asked = Array.from({ length: 12 }, (_, index) =>
    compileApart('MIHOMO', { templateYaml: `own: ${index}\n${long}`, templateJson: null }).then(() => done++),
  )
  const clash = { uuid: 'b', isDefault: true, templateType: 'CLASH', templateYaml: long, templateJson: null } as const
  const stored = await rememberCompiled()([clash])
  expect(stored.templates.CLASH).not.toBeNull()
  expect(done).toBeLessThan(12)
  await Promise.all(asked)
  clearInterval(looking)
  expect(most).toBeGreaterThan(0)
  expect(most).toBeLessThanOrEqual(6) // some that have answered are just ending
})

test('a template that no process could be started for stays what it was, and is what it should be a little later', async () => {
  const onLater = vi.fn<() => void>()
  const compile = rememberCompiled(onLater)
  const mihomo = { uuid: 'a', isDefault: true, templateType: 'MIHOMO', templateYaml: long, templateJson: null } as const
  const next = { ...mihomo, templateYaml: `first: 1\n${long}` }
  const { templates: first } = await compile([mihomo])
  const { execPath } = process
  process.execPath = '/nowhere'
  try {
    expect((await compile([next])).templates.MIHOMO).toBe(first.MIHOMO)
  } finally {
    process.execPath = execPath
  }
  await vi.waitFor(() => expect(onLater).toHaveBeenCalledTimes(1), { timeout: 15_000 })
  const { MIHOMO } = (await compile([next])).templates
  expect(MIHOMO).toEqual(compileHere('MIHOMO', next).templates.MIHOMO)
  expect(MIHOMO).not.toEqual(first.MIHOMO)
})

const keys = (count: number): string => Array.from({ length: count }, (_, index) => `key${index}: ${index}`).join('\n')
const shapes: Record<string, (count: number) => string> = {
  keys,
  'keys in one line': (count) => `a: {${keys(count).replaceAll('\n', ', ')}}`,
  'keys merged into others': (count) =>
    `a: &a\n${indented(keys(count))}\nb:\n  <<: *a\n${indented(keys(count).replaceAll('key', 'own'))}`,
  'entries of a list': (count) => `a:\n${'- 1\n'.repeat(count)}`,
  anchors: (count) => Array.from({ length: count }, (_, index) => `key${index}: &a${index} 1`).join('\n'),
  'anchors with as many aliases as may be': (count) =>
    [
      ...Array.from({ length: count }, (_, index) => `key${index}: &a 1`),
      ...Array.from({ length: 100 }, (_, n) => `x${n}: *a`),
    ].join('\n'),
  comments: (count) => `${'# remark\n'.repeat(count)}a: 1`,
}

describe('reading YAML costs what its length says', () => {
  test.each(Object.entries(shapes))(
    '%s',
    (_, shape) => {
      cpuMs(() => compile(shape(1000))) // compiled once
      const [few, some, many] = (shape === keys ? [6000, 20_000, 60_000] : [2000, 6667, 20_000]).map((count) => {
        const source = shape(count)
        return Math.min(...[1, 2].map(() => cpuMs(() => compile(source))))
      })
      // Ten times as much may cost up to thirty times, for what the garbage collector adds; the square would be a hundred.
      expect(many! / few!).toBeLessThan(30) // three figures of three sizes
      expect(some! / few!).toBeLessThan(10) // 3.3 times as much; the square would be 11
    },
    120_000,
  )
})

function compile(templateYaml: string) {
  return compileHere('MIHOMO', { templateYaml, templateJson: null })
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, '  ')
}

/** Time of the processor, which other programs of the machine do not add to. */
function cpuMs(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
