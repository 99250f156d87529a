import { onUnexpectedError } from 'monaco-editor/base/common/errors'
import { createRef, useState } from 'react'
import { beforeAll, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { violations } from '../../../test/axe.ts'
import { PHONE, showPart } from '../../../test/screen.tsx'
import { CodeDiff, CodeEditor } from './code-editor.tsx'
import type { CodeEditorHandle, CodeEditorProps, CodeMarker } from './code-editor-parts.ts'

// The editor is large: what is waited for below is what it does.
beforeAll(() => import('./code-editor-canvas.tsx'), 120_000)

const SCHEMA = {
  uri: 'causeway://test/schema',
  schema: {
    type: 'object',
    properties: { mode: { type: 'string', enum: ['rule', 'global'], description: 'How traffic is divided' } },
  },
}

/** As a form holds it. */
function Held({ start, ...props }: Partial<CodeEditorProps> & { start: string; ref?: React.Ref<CodeEditorHandle> }) {
  const [value, setValue] = useState(start)
  return (
    <main>
      <CodeEditor label="A text" language="json" {...props} value={value} onChange={setValue} />
      <output aria-label="Held">{value}</output>
      <button onClick={() => setValue('{"from": "outside"}')}>Set</button>
    </main>
  )
}

const held = () => page.getByLabelText('Held')

async function shown(props: Parameters<typeof Held>[0], view: Parameters<typeof showPart>[1] = {}): Promise<CodeEditorHandle> {
  const ref = createRef<CodeEditorHandle>()
  await showPart(<Held {...props} ref={ref} />, view)
  await expect.element(page.getByRole('textbox', { name: /^(A text|متن)/ })).toBeInTheDocument()
  return ref.current!
}

async function type(keys: string): Promise<void> {
  const text = page.getByRole('textbox', { name: /^A text/ }).element()
  if (!(text instanceof HTMLElement)) throw new Error('nothing to type into')
  text.focus()
  await userEvent.keyboard(keys)
}

test('TMPL-021: a label shows while the editor itself loads', async () => {
  const seen: string[] = []
  const observer = new MutationObserver(() => seen.push(document.body.textContent))
  observer.observe(document.body, { subtree: true, childList: true })
  // Another instance of the module has loaded nothing yet.
  const again = './code-editor.tsx?again'
  const { CodeEditor: Fresh } = (await import(/* @vite-ignore */ again)) as { CodeEditor: typeof CodeEditor }
  await showPart(<Fresh label="A text" language="json" value="{}" />)
  await expect.element(page.getByRole('textbox', { name: /^A text/ })).toBeInTheDocument()
  observer.disconnect()
  expect(seen.some((text) => text.includes('Loading the editor…'))).toBe(true)
})

test('what is typed is held at once, and what comes from outside can be undone', async () => {
  const editor = await shown({ start: '' })
  await type('[[1')
  expect(editor.text()).toBe('[1]')
  await expect.element(held()).toHaveTextContent('[1]')
  await page.getByRole('button', { name: 'Set' }).click()
  await expect.poll(() => editor.text()).toBe('{"from": "outside"}')
  await type('{Control>}z{/Control}')
  await expect.element(held()).toHaveTextContent('[1]')
})

test('TMPL-040: JSON with a comment is an error at its place, and the bar leads there', async () => {
  const onProblems = vi.fn<(problems: readonly CodeMarker[]) => void>()
  await shown({ start: '{\n  // mine\n  "a": 1\n}', onProblems })
  await expect
    .poll(() => onProblems.mock.lastCall?.[0], { timeout: 30_000 })
    .toEqual([expect.objectContaining({ line: 2, column: 3, severity: 'error' })])
  await page.getByRole('button', { name: /1 problem\. Line 2, column 3/ }).click()
  await expect.element(page.getByText('Line 2, column 3', { exact: true })).toBeVisible()
})

test('TMPL-019: what is pasted is formatted, and a block is when its bracket is typed', async () => {
  const editor = await shown({ start: '' })
  editor.paste('{"a":{"b":1}}')
  await expect.poll(() => editor.text()).toBe('{\n  "a": {\n    "b": 1\n  }\n}')
  editor.replace('')
  await type('{{"a":1}')
  await expect.poll(() => editor.text()).toBe('{\n  "a": 1\n}')
})

test('TMPL-041: a schema that cannot be fetched is a warning', async () => {
  const onProblems = vi.fn<(problems: readonly CodeMarker[]) => void>()
  await shown({ start: `{ "$schema": "${location.origin}/no/such/schema.json", "a": 1 }`, onProblems })
  await expect
    .poll(() => onProblems.mock.lastCall?.[0], { timeout: 30_000 })
    .toEqual([expect.objectContaining({ severity: 'warning', message: expect.stringContaining('no/such/schema.json') })])
})

test('TMPL-039: YAML is checked, formatted, completed and explained by its schema', async () => {
  const onProblems = vi.fn<(problems: readonly CodeMarker[]) => void>()
  const editor = await shown({ start: 'mode: other\nlist:   [1,2]\n', language: 'yaml', schema: SCHEMA, onProblems })
  await expect
    .poll(() => onProblems.mock.lastCall?.[0], { timeout: 30_000 })
    .toEqual([expect.objectContaining({ line: 1, column: 7, message: expect.stringContaining('rule') })])
  await editor.format()
  await expect.poll(() => editor.text()).toBe('mode: other\nlist: [1, 2]\n')
  editor.reveal({ line: 1, column: 2 })
  await userEvent.keyboard('{Control>}k{/Control}{Control>}i{/Control}')
  await expect.element(page.getByText('How traffic is divided').first()).toBeVisible()
  editor.replace('mode: ')
  editor.reveal({ line: 1, column: 7 })
  await userEvent.keyboard('{Control>} {/Control}')
  await expect.element(page.getByRole('option', { name: 'global' })).toBeVisible()
})

test('what a server says of a place is shown there', async () => {
  const markers = [{ line: 2, column: 1, message: 'The key mode stands twice', severity: 'error' }] as const
  await shown({ start: 'mode: rule\nmode: global\n', markers })
  await expect.element(page.getByRole('button', { name: /Line 2, column 1: The key mode stands twice/ })).toBeVisible()
})

test('TMPL-015 TMPL-016 TMPL-017 TMPL-018 TMPL-020: a minimap, guides of brackets, two spaces, closed quotes, letters of 14 px', async () => {
  const editor = await shown({ start: '{\n  "a": {\n    "b": 1\n  }\n}' })
  await expect.poll(() => document.querySelector('.minimap')?.clientWidth ?? 0).toBeGreaterThan(20)
  editor.reveal({ line: 3, column: 8 })
  await expect.poll(() => document.querySelectorAll('.bracket-indent-guide').length).toBeGreaterThan(0)
  expect(getComputedStyle(document.querySelector('.view-lines')!).fontSize).toBe('14px')
  editor.replace('')
  await type('{Tab}')
  expect(editor.text()).toBe('  ')
  editor.replace('')
  await type('"')
  expect(editor.text()).toBe('""')
})

test('TMPL-012 TMPL-013 TMPL-014: 700 px high, pulled to any size, dark in the light theme too', async () => {
  await shown({ start: '{}' }, { colorScheme: 'light' })
  const box = document.querySelector<HTMLElement>('.monaco-editor')!.parentElement!.parentElement!
  expect(box.getBoundingClientRect().height).toBe(700)
  expect(getComputedStyle(box).resize).toBe('both')
  expect(getComputedStyle(document.querySelector('.monaco-editor-background')!).backgroundColor).toBe('rgb(18, 22, 28)')
  box.style.width = '500px'
  box.style.height = '300px'
  await expect.poll(() => document.querySelector('.monaco-editor')!.getBoundingClientRect().height).toBeLessThanOrEqual(300)
})

test('a text of levels without end has its fault at its place, and what asks the language of it fails nowhere', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  const editor = await shown({ start: `{\n"a": ${'['.repeat(5000)}${']'.repeat(5000)}}` })
  const fault = page.getByRole('button', { name: /More than 90 levels lie within each other here/ })
  await expect.element(fault).toMatchTextContent(/Line 2, column 95/)
  await fault.click()
  await type('{Control>} {/Control}')
  await editor.format()
  expect(log).not.toHaveBeenCalled()
  editor.replace('{}')
  await expect.element(page.getByText('No problems found')).toBeVisible()
})

test('YAML of levels without end has its fault in a sentence, at its place', async () => {
  await shown({ start: `mode: rule\na: ${'{a: '.repeat(5000)}1${'}'.repeat(5000)}\n`, language: 'yaml' })
  const fault = page.getByRole('button', { name: /Lists and maps lie too deep within each other/ })
  await expect.element(fault).toMatchTextContent(/^1 problem\. Line 2, column \d/)
})

test('reading only, nothing can be typed, and the first key says why', async () => {
  const editor = await shown({ start: '{}', readOnlyReason: 'First take or discard the draft.' })
  await type('x')
  await expect.element(page.getByText('First take or discard the draft.')).toBeVisible()
  expect(editor.text()).toBe('{}')
})

test('for screen readers the text stands in the page, and Tab leads on', async () => {
  await shown({ start: '{\n  "alpha": 1\n}' })
  await page.getByRole('switch', { name: 'For screen readers' }).click()
  await type('{Tab}')
  await expect.element(held()).toHaveTextContent('{ "alpha": 1 }')
  expect(document.activeElement?.closest('.monaco-editor')).toBeNull()
})

test.each([
  ['en', {}],
  ['fa', {}],
  ['fa', PHONE],
] as const)('nothing stands in the way in %s at %o', async (language, size) => {
  await shown({ start: '{\n  "a": 1\n}' }, { language, ...size })
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(window.innerWidth)
  expect(getComputedStyle(document.querySelector('.monaco-editor')!).direction).toBe('ltr')
  // Beside the page it could be scrolled to from right to left, once a dialog stands over the editor.
  const told = document.body.appendChild(document.createElement('div'))
  told.className = 'monaco-aria-container' // The library makes one for all editors, which the tests before have taken away.
  const { left, width } = told.getBoundingClientRect()
  told.remove()
  expect([left, width]).toEqual([0, 1])
  await expect.poll(() => document.querySelector('.view-line')?.textContent).toBe('{')
  expect(await violations('main')).toEqual([])
})

test('two states are compared side by side', async () => {
  await showPart(<CodeDiff label="What changed" language="json" before={'{\n  "a": 1\n}'} after={'{\n  "a": 2\n}'} />)
  await expect.poll(() => document.querySelectorAll('.char-insert, .line-insert').length, { timeout: 30_000 }).toBeGreaterThan(0)
  expect(document.querySelectorAll('.char-delete, .line-delete').length).toBeGreaterThan(0)
  const sides = page.getByRole('group', { name: 'What changed' }).getByRole('textbox', { name: 'What changed' })
  await expect.poll(() => sides.elements().length).toBe(2)
  expect(await violations('[role=group]')).toEqual([])
})

test('completion and its hints work in a text that outlives a comparison', async () => {
  function Compared() {
    const [isOpen, setOpen] = useState(true)
    return (
      <>
        <Held start="{}" schema={SCHEMA} />
        {isOpen && <CodeDiff label="What changed" language="json" before="{}" after="[]" />}
        <button onClick={() => setOpen(false)}>Close</button>
      </>
    )
  }
  await showPart(<Compared />)
  await expect.poll(() => document.querySelector('.monaco-diff-editor .view-line')).not.toBeNull()
  await page.getByRole('button', { name: 'Close' }).click()
  await expect.poll(() => document.querySelector('.monaco-diff-editor')).toBeNull()
  await type('{Control>}{Home}{/Control}{ArrowRight}"')
  await type('{Control>} {/Control}')
  await expect.element(page.getByRole('option', { name: /mode/ })).toBeVisible()
})

test('what comes back to an editor that was closed meanwhile ends in no error of the page', async () => {
  function Closed() {
    const [isOpen, setOpen] = useState(true)
    return (
      <>
        {isOpen && <Held start="{}" />}
        <button onClick={() => setOpen(false)}>Close</button>
      </>
    )
  }
  await showPart(<Closed />)
  await expect.poll(() => document.querySelector('.monaco-editor .view-line')).not.toBeNull()
  await page.getByRole('button', { name: 'Close' }).click()
  await expect.poll(() => document.querySelector('.monaco-editor')).toBeNull()
  // As completion and formatting do when what they waited for arrives.
  const thrown = vi.spyOn(globalThis, 'setTimeout')
  onUnexpectedError(new Error('TextModelPart is disposed!'))
  onUnexpectedError(new Error('Invalid arguments'))
  expect(thrown).not.toHaveBeenCalled()
})
