import { listConfigProfiles } from '@causeway/contract'
import { beforeEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { answer } from '../../../../test/fake-api.ts'
import { violations } from '../../../../test/axe.ts'
import { showPage } from '../../../../test/screen.tsx'

const dialog = page.getByRole('dialog', { name: 'Key pair' })
const field = (name: string) => dialog.getByRole('group', { name, exact: true })
const textOf = async (name: string) => {
  await expect.element(field(name)).toBeVisible()
  return field(name).element().textContent ?? ''
}

beforeEach(() => answer(listConfigProfiles, () => ({ total: 0, configProfiles: [] })))

it('KEY-001 KEY-007 each opening makes a pair, and nobody is asked for it', async () => {
  await showPage('/dashboard/management/config-profiles')
  const open = page.getByRole('button', { name: 'Make a key pair' })
  await expect.element(open).toBeVisible()
  const ask = vi.spyOn(globalThis, 'fetch')
  await open.click()
  const first = await textOf('Public key')
  expect(first).toMatch(/^[\w-]{43}$/)
  expect(await violations('[role=dialog]')).toEqual([])
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  await open.click()
  expect(await textOf('Public key')).not.toBe(first)
  expect(ask).not.toHaveBeenCalled()
})

it('KEY-002 a press makes another', async () => {
  await showPage('/dashboard/management/config-profiles?keys=new')
  const [publicKey, privateKey] = [await textOf('Public key'), await textOf('Private key')]
  await dialog.getByRole('button', { name: 'Make another' }).click()
  await expect.poll(() => textOf('Public key')).not.toBe(publicKey)
  expect(await textOf('Private key')).not.toBe(privateKey)
})

it('KEY-003 KEY-004 KEY-005 both keys, and both as two lines of JSON, are shown and copied', async () => {
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  await showPage('/dashboard/management/config-profiles?keys=new')
  const [publicKey, privateKey] = [await textOf('Public key'), await textOf('Private key')]
  const both = `"publicKey": "${publicKey}",\n"privateKey": "${privateKey}"`
  for (const [name, text] of [
    ['Public key', publicKey],
    ['Private key', privateKey],
    ['Both keys', both],
  ] as const) {
    expect(await textOf(name)).toBe(text)
    await field(name)
      .getByRole('button', { name: `Copy ${name}` })
      .click()
    expect(write).toHaveBeenLastCalledWith(text)
  }
})
