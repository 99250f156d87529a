import { listInternalSquads } from '@causeway/contract'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { answer, requests } from '../../test/fake-api.ts'
import { askAhead, forgetFirstReads, noteFirstReads, takeAhead } from './ahead.ts'
import { call } from './call.ts'
import { endSession, startSession } from './session.ts'

const SQUADS = '/api/internal-squads'
const script = document.createElement('script')

beforeEach(() => {
  startSession('a token')
  forgetFirstReads()
  answer(listInternalSquads, () => ({ total: 0, internalSquads: [] }))
  script.dataset['texts'] = 'hwid'
  document.head.append(script)
})
afterEach(() => {
  script.remove()
  forgetFirstReads()
})

/** The page is opened and reads something. */
async function open(): Promise<void> {
  askAhead()
  noteFirstReads()
  await call(listInternalSquads, {})
  await expect.poll(() => localStorage.getItem('firstReads')).toContain(SQUADS)
}

it('what a page read first is asked for before its code is there, when it is opened again', async () => {
  await open()
  expect(requests(listInternalSquads)).toHaveLength(1)
  askAhead()
  await expect.poll(() => requests(listInternalSquads)).toHaveLength(2)
  // The page takes the answer that is under way, once.
  await call(listInternalSquads, {})
  expect(requests(listInternalSquads)).toHaveLength(2)
  await call(listInternalSquads, {})
  expect(requests(listInternalSquads)).toHaveLength(3)
})

it('texts are asked for in the language of the reader, and in English where those have gaps', async () => {
  localStorage.setItem('i18nextLng', 'fa')
  askAhead()
  for (const path of ['/locales/fa/hwid.json', '/locales/en/hwid.json']) expect((await takeAhead(path))?.ok).toBe(true)
  expect(takeAhead('/locales/ru/hwid.json')).toBeUndefined()
})

it('who signs out leaves nothing to be asked for by the next one, and strangers ask for nothing', async () => {
  await open()
  endSession()
  askAhead()
  startSession('another token')
  askAhead()
  expect(takeAhead(SQUADS)).toBeUndefined()
  expect(requests(listInternalSquads)).toHaveLength(1)
})

it('the panel is fetched for who is signed in, where strangers sign in first', () => {
  script.dataset['panel'] = '/favicon.svg'
  const fetched = () => [...document.querySelectorAll('link[rel="modulepreload"][href="/favicon.svg"]')]
  endSession()
  askAhead()
  expect(fetched()).toEqual([])
  startSession('a token')
  askAhead()
  expect(fetched()).toHaveLength(1)
  for (const link of fetched()) link.remove()
  delete script.dataset['panel']
})

it('what stands in the browser from elsewhere is no address to ask', () => {
  for (const kept of ['{"/":["https://elsewhere/"]}', '{"/":"/api/x"}', 'not JSON', '[[1]]']) {
    localStorage.setItem('firstReads', kept.replaceAll('"/"', JSON.stringify(location.pathname + location.search)))
    expect(() => askAhead()).not.toThrow()
  }
  expect(takeAhead('https://elsewhere/')).toBeUndefined()
})
