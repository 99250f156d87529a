import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { showPart } from '../../../test/screen.tsx'
import { draftStore } from '../../lib/draft-store.ts'
import { useDraft } from './use-draft.ts'

const SAVED = 'as it is saved'
/** As much as a profile may hold. */
const LONG = '0123456789'.repeat(500_000)
const drafts = draftStore(sessionStorage, 'test')

const text = page.getByRole('status', { name: 'text' })
const paste = page.getByRole('button', { name: 'Paste' })
const shorten = page.getByRole('button', { name: 'Shorten' })
const found = page.getByText(/^found/)

function Sheet({ isOffered = false }: { isOffered?: boolean }) {
  const [value, setValue] = useState(SAVED)
  const way = isOffered ? {} : { onFound: setValue }
  const kept = useDraft({ drafts, id: 'sheet', text: value, isChanged: value !== SAVED, ...way })
  return (
    <>
      <output aria-label="text">{value.length}</output>
      {kept.found && <p>found {kept.found.text.length}</p>}
      {kept.isWaiting && <p>waiting</p>}
      {kept.isUnkept && <p role="alert">unkept</p>}
      <button onClick={() => setValue(LONG)}>Paste</button>
      <button onClick={() => setValue('short')}>Shorten</button>
      <button onClick={() => setValue(SAVED)}>Discard</button>
      <button onClick={kept.forget}>Forget</button>
    </>
  )
}

/** What was there goes first, as a page does. */
async function reload(sheet = <Sheet />): Promise<void> {
  window.dispatchEvent(new Event('pagehide'))
  await showPart(sheet)
}

afterEach(() => {
  vi.restoreAllMocks()
  drafts.drop('sheet')
})

test('five million letters survive a reload that follows at once, and are given up when they are discarded', async () => {
  await showPart(<Sheet />)
  await paste.click()
  await reload()
  await expect.element(text).toHaveTextContent(String(LONG.length))
  await expect.element(found).toBeVisible()
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect.element(found).not.toBeInTheDocument()
  await reload()
  await expect.element(text).toHaveTextContent(String(SAVED.length))
  expect(page.getByText('waiting').elements()).toEqual([])
})

test('what is short stands in the store before the page has gone, also after it was long', async () => {
  await showPart(<Sheet />)
  await paste.click()
  await expect.poll(() => sessionStorage.getItem('test:sheet')).toContain('long')
  await shorten.click()
  window.dispatchEvent(new Event('pagehide'))
  expect(sessionStorage.getItem('test:sheet')).toContain('"text":"short"')
  await reload()
  await expect.element(text).toHaveTextContent('5')
})

test('a page that is hidden, as on a phone, keeps what was typed: it may never be shown again', async () => {
  await showPart(<Sheet />)
  await shorten.click()
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  document.dispatchEvent(new Event('visibilitychange'))
  expect(sessionStorage.getItem('test:sheet')).toContain('"text":"short"')
})

test('a browser without room says that nothing is kept, and gives back nothing older', async () => {
  await showPart(<Sheet />)
  await shorten.click()
  await expect.poll(() => sessionStorage.getItem('test:sheet')).toContain('short')
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
    throw new DOMException('the disk is full', 'QuotaExceededError')
  })
  await paste.click()
  await expect.element(page.getByRole('alert')).toHaveTextContent('unkept')
  vi.restoreAllMocks()
  await shorten.click()
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument()
})

test('what is only offered waits for somebody to decide, and is gone when it was given up', async () => {
  await showPart(<Sheet isOffered />)
  await paste.click()
  await reload(<Sheet isOffered />)
  await expect.element(found).toHaveTextContent(`found ${LONG.length}`)
  await expect.element(page.getByText('waiting')).toBeVisible()
  await expect.element(text).toHaveTextContent(String(SAVED.length))
  await page.getByRole('button', { name: 'Forget' }).click()
  await expect.element(page.getByText('waiting')).not.toBeInTheDocument()
  await reload(<Sheet isOffered />)
  await expect.element(text).toHaveTextContent(String(SAVED.length))
  expect(found.elements()).toEqual([])
})
