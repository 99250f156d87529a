import { beforeAll, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { showPart } from '../../../test/screen.tsx'
import { closedBlockStart } from './code-editor-languages.ts'
import type { editor } from './code-editor-monaco.ts'
import { CodeEditor } from './code-editor.tsx'

// What is typed key by key is what stands there in the end, although the editor closes brackets, indents and formats meanwhile.

type Editor = editor.ICodeEditor

let library: typeof import('./code-editor-monaco.ts')
beforeAll(async () => {
  library = await import('./code-editor-monaco.ts')
}, 120_000)

const VALUES: readonly unknown[] = [
  {},
  [],
  { a: { b: 1 } },
  { a: [1, 2, [3, []]], b: {} },
  [[[[]]], {}, [{}]],
  { a: { b: { c: { d: [] } } } },
  [{ a: 1 }, { b: [{ c: null }] }],
  { tag: 'with } and ] and { in it' },
  { 'a]': '[', '}b': '"quoted" \\ end\\' },
  { log: { loglevel: 'info', access: 'none' }, inbounds: [] },
  { inbounds: [{ tag: 'A', port: 443, protocol: 'vless', settings: { clients: [], decryption: 'none' } }] },
  { streamSettings: { network: 'raw', realitySettings: { shortIds: ['', 'ab12'], serverNames: ['a.example'] } } },
  { routing: { rules: [{ ip: ['geoip:private'], outboundTag: 'BLOCK' }, { domain: ['regexp:.*[.]ru$'] }] } },
  { dns: { servers: ['1.1.1.1', { address: '8.8.8.8', domains: ['a'] }], hosts: { 'a.example': ['1.2.3.4'] } } },
  { outbounds: [{ protocol: 'freedom', settings: {} }, { protocol: 'blackhole' }], policy: { levels: { 0: {} } } },
  [-1.5e3, true, false, null, 'it’s «нет» 否', ''],
  { a: [{ b: [{ c: [{ d: [{}] }] }] }] },
]

/** The editor adds the indentation; it is not typed. */
const SPELLINGS: Record<string, (value: unknown) => string> = {
  'without spaces': (value) => JSON.stringify(value),
  'with spaces': (value) => JSON.stringify(value, null, 1).replaceAll(/\s*\n\s*/g, ' '),
  'on lines of its own': (value) => JSON.stringify(value, null, 1).replaceAll(/\n\s*/g, '\n'),
}

const TEXTS = Object.entries(SPELLINGS).flatMap(([how, spell]) => VALUES.map((value) => ({ how, text: spell(value) })))

async function shown() {
  await showPart(<CodeEditor label="A text" language="json" value="" />)
  await expect.element(page.getByRole('textbox', { name: /^A text/ })).toBeInTheDocument()
  const instance = library.editor.getEditors().find((one) => one.getDomNode()?.isConnected)
  if (!instance) throw new Error('no editor')
  instance.focus()
  // The language comes up after the editor.
  await expect
    .poll(() => {
      instance.setValue('')
      press(instance, '[')
      return instance.getValue()
    })
    .toBe('[]')
  instance.setValue('')
  return instance
}

it(`TMPL-018: ${TEXTS.length} texts typed quickly mean what was typed`, async () => {
  const instance = await shown()
  const wrong: unknown[] = []
  for (const { how, text } of TEXTS) {
    for (const key of text) press(instance, key)
    if (canonical(instance.getValue()) !== canonical(text)) wrong.push({ how, text, found: instance.getValue() })
    instance.setValue('')
  }
  expect(wrong).toEqual([])
}, 90_000)

it('TMPL-018 TMPL-019: texts typed so slowly that each block is formatted before the next key mean what was typed', async () => {
  const instance = await shown()
  const wrong: unknown[] = []
  let formattings = 0
  for (const { how, text } of TEXTS.filter((_, index) => index % 4 === 0)) {
    for (const key of text) {
      press(instance, key)
      if (/[}\]]/.test(key) && isToBeFormatted(instance) && (await isFormatted(instance))) formattings++
    }
    if (canonical(instance.getValue()) !== canonical(text)) wrong.push({ how, text, found: instance.getValue() })
    instance.setValue('')
  }
  expect(wrong).toEqual([])
  expect(formattings).toBeGreaterThan(15)
}, 90_000)

it('TMPL-018: the keyboard itself leaves no bracket over', async () => {
  const instance = await shown()
  for (const text of ['{"a":{"b":1}}', '[{"a":[1]}]', '{\n"a": {\n"b": [\n1\n]\n}\n}']) {
    instance.setValue('')
    await userEvent.keyboard(text.replaceAll(/[{[]/g, '$&$&').replaceAll('\n', '{Enter}'))
    expect(canonical(instance.getValue())).toBe(canonical(text))
  }
})

it('a bracket that is missing is kept, one that repeats is not, and both can be undone', async () => {
  const instance = await shown()
  instance.setValue('{"a":{"b":1}')
  instance.setPosition({ lineNumber: 1, column: 13 })
  press(instance, '}')
  expect(canonical(instance.getValue())).toBe('{"a":{"b":1}}')
  instance.setValue('{"a":1\n}')
  instance.setPosition({ lineNumber: 1, column: 7 })
  press(instance, '}')
  expect(instance.getValue()).toBe('{"a":1}')
  for (let step = 0; step < 2; step++) instance.trigger('keyboard', 'undo', null)
  expect(instance.getValue()).toBe('{"a":1\n}')
})

function press(instance: Editor, key: string): void {
  instance.trigger('keyboard', 'type', { text: key })
}

/** Whether the block that has just been closed does not look as formatting makes it, apart from its depth. */
function isToBeFormatted(instance: Editor): boolean {
  const text = instance.getValue()
  const end = instance.getModel()!.getOffsetAt(instance.getPosition()!) // the editor of this test has both
  const start = closedBlockStart(text, end)
  const flat = (block: string) => block.replaceAll(/\n\s*/g, '\n')
  const block = start === undefined ? undefined : text.slice(start, end)
  return block !== undefined && flat(block) !== flat(JSON.stringify(JSON.parse(block), null, 2))
}

/** Whether the text is changed before long, which only formatting does. */
function isFormatted(instance: Editor): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const listener = instance.onDidChangeModelContent(() => resolve(true))
  const timer = setTimeout(() => resolve(false), 3000)
  return promise.finally(() => {
    listener.dispose()
    clearTimeout(timer)
  })
}

function canonical(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text))
  } catch {
    return text
  }
}
