import { listUserSubscriptionRequests } from '@causeway/contract'
import { expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { violations } from '../../../../test/axe.ts'
import { answer, disconnect, requests } from '../../../../test/fake-api.ts'
import { uuid } from '../../../../test/samples.ts'
import { PHONE, showPart } from '../../../../test/screen.tsx'
import { UserRequests } from './user-requests.tsx'

const at = (minutesAgo: number) => new Date(Date.now() - minutesAgo * 60_000).toISOString()
const records = [
  { id: 2, userUuid: uuid(1), requestIp: '2001:db8::7', userAgent: 'Happ/3.1.2 (iPhone)', requestAt: at(3.5) },
  { id: 1, userUuid: uuid(1), requestIp: null, userAgent: null, requestAt: at(90) },
]

it('the requests of a user with time, app, version and address, which can be copied', async () => {
  const copy = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  answer(listUserSubscriptionRequests, () => ({ total: 2, records }))
  await showPart(<UserRequests userUuid={uuid(1)} />)
  const list = page.getByRole('list', { name: 'Subscription requests' }).getByRole('listitem')
  await expect.element(list.first()).toMatchTextContent(/Happ.*3\.1\.2.*3 min\. ago.*2001:db8::7/)
  await expect.element(list.last()).toMatchTextContent(/Unknown app/)
  expect(list.last().getByRole('button').elements()).toEqual([])
  expect(requests(listUserSubscriptionRequests)).toEqual([{ uuid: uuid(1) }])
  await list.first().getByRole('button', { name: 'Copy address' }).click()
  expect(copy).toHaveBeenLastCalledWith('2001:db8::7')
  await list.first().getByRole('button', { name: 'Copy user agent' }).click()
  expect(copy).toHaveBeenLastCalledWith('Happ/3.1.2 (iPhone)')
  expect(await violations('ol')).toEqual([])
})

it('that a user has fetched nothing, or that it cannot be read, is said', async () => {
  answer(listUserSubscriptionRequests, () => ({ total: 0, records: [] }))
  await showPart(<UserRequests userUuid={uuid(1)} />, { ...PHONE, language: 'fa' })
  await expect.element(page.getByText('هنوز درخواستی نیست')).toBeVisible()
  disconnect(listUserSubscriptionRequests)
  await showPart(<UserRequests userUuid={uuid(1)} />)
  await expect.element(page.getByText('This could not be loaded')).toBeVisible()
})

it('shows no places in Persian either, where lists that do show them in Persian numbers', async () => {
  answer(listUserSubscriptionRequests, () => ({ total: 2, records }))
  await showPart(<UserRequests userUuid={uuid(1)} />, { ...PHONE, language: 'fa' })
  await expect.poll(() => document.querySelector('ol li')).not.toBeNull()
  expect(getComputedStyle(document.querySelector('ol')!).listStyleType).toBe('none') // the poll has seen it
})

it('the longest address stands in one line of a phone', async () => {
  const requestIp = '2001:0db8:85a3:08d3:1319:8a2e:0370:7344'
  answer(listUserSubscriptionRequests, () => ({
    total: 1,
    records: records.slice(0, 1).map((record) => ({ ...record, requestIp })),
  }))
  await showPart(<UserRequests userUuid={uuid(1)} />, PHONE)
  const address = page.getByText(requestIp)
  await expect.element(address).toBeVisible()
  expect(address.element().getClientRects()).toHaveLength(1)
  expect(address.element().getBoundingClientRect().height).toBeLessThan(24)
})

it('a version without end gives way to the name of the app', async () => {
  const userAgent = `Hiddify/${'1.'.repeat(120)}`
  answer(listUserSubscriptionRequests, () => ({
    total: 1,
    records: records.slice(0, 1).map((record) => ({ ...record, userAgent })),
  }))
  await showPart(<UserRequests userUuid={uuid(1)} />, PHONE)
  const app = page.getByText('Hiddify', { exact: true })
  await expect.element(app).toBeVisible()
  expect(app.element().scrollWidth).toBe(app.element().clientWidth)
})

it('RULE-004: a request says which rule answered it with what, and the list is filtered by it', async () => {
  const [first, second] = records
  answer(listUserSubscriptionRequests, () => ({
    total: 2,
    records: [
      { ...first!, srrRuleName: 'Happ users', srrResponseType: 'XRAY_JSON' }, // there are two above
      { ...second!, srrRuleName: null, srrResponseType: 'BLOCK' },
    ],
  }))
  await showPart(<UserRequests userUuid={uuid(1)} />)
  const list = page.getByRole('list', { name: 'Subscription requests' }).getByRole('listitem')
  await expect.element(list.first()).toMatchTextContent(/Happ.*Xray JSON.*Happ users/)
  await expect.element(list.last()).toMatchTextContent(/Refused \(403\)/)
  await page.getByRole('combobox', { name: 'Answered by rule' }).click()
  await page.getByRole('option', { name: 'Happ users' }).click()
  await expect.poll(() => list.elements().length).toBe(1)
})
