import { getInstallation, listNodes } from '@causeway/contract'
import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { answer } from '../../../../test/fake-api.ts'
import { sampleNode } from '../../../../test/samples.ts'
import { showPage } from '../../../../test/screen.tsx'
import { answerSmallPanel } from '../../../../test/small-panel.ts'

const DAY_MS = 86_400_000
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()
const attention = page.getByRole('region', { name: 'Needs attention' })

beforeEach(answerSmallPanel)

it('home says which certificates end, what to do, and that the authority was not renewed', async () => {
  answer(listNodes, () => [
    sampleNode({ name: 'Ended', certificateExpiresAt: inDays(-1) }),
    sampleNode({ uuid: '00000000-0000-4000-8000-0000000000e2', name: 'Ending', certificateExpiresAt: inDays(20) }),
    sampleNode({ uuid: '00000000-0000-4000-8000-0000000000e3', name: 'Young', certificateExpiresAt: inDays(1000) }),
  ])
  answer(getInstallation, () => ({ timeZone: 'UTC', updatedAt: inDays(0), authorityExpiresAt: inDays(300) }))
  await showPage('/dashboard/home')
  const row = (text: string) => attention.getByRole('listitem').filter({ hasText: text })
  await expect.element(row('Certificate has ended').getByRole('link', { name: /Ended/ })).toBeVisible()
  await expect.element(row('Certificate ends').getByRole('link', { name: /Ending/ })).toBeVisible()
  await expect.element(row('Certificate ends').getByText(/Copy a new public key/)).toBeVisible()
  await expect.element(row('Authority of the nodes').getByText('Ends soon')).toBeVisible()
  await expect.element(attention.getByText('Young')).not.toBeInTheDocument()
})

it('SHIP-008 home says for which names the server got no certificate, why, and when it tries again', async () => {
  const at = { detail: 'in the words of the directory', attempts: 2, nextTryAt: inDays(1) }
  const certificates = [
    { name: 'panel.example', endsAt: inDays(20), failure: 'portClosed' as const, ...at },
    { name: 'sub.example', endsAt: null, failure: 'rateLimited' as const, ...at },
    { name: 'well.example', endsAt: inDays(60), failure: null, ...at },
  ]
  answer(getInstallation, () => ({ timeZone: 'UTC', updatedAt: inDays(0), certificates }))
  await showPage('/dashboard/home')
  const row = (text: string) => attention.getByRole('listitem').filter({ hasText: text })
  await expect.element(row('panel.example').getByText('Certificate not renewed')).toBeVisible()
  await expect.element(row('panel.example').getByText(/cannot reach panel.example at port 80 or 443/)).toBeVisible()
  await expect.element(row('sub.example').getByText('No certificate')).toBeVisible()
  await expect.element(row('sub.example').getByText(/asks to wait/)).toBeVisible()
  await expect.element(row('sub.example').getByRole('time')).toBeVisible()
  await expect.element(attention.getByText('well.example')).not.toBeInTheDocument()
})
