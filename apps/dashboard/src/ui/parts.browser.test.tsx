import { ActionIcon, Button, Checkbox, Menu, SegmentedControl, TextInput } from '@mantine/core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { cdp, page, userEvent } from 'vitest/browser'
import { colorName } from '../../test/hue.ts'
import { showPart } from '../../test/screen.tsx'
import { CopyButton } from './inputs/copy-field.tsx'
import { LoadingBar } from './frames/loading-bar.tsx'
import { MenuButton } from './menu-button.tsx'
import { RowMenu } from './rows/row-menu.tsx'
import { RelativeTime } from './calendar/relative-time.tsx'
import { SearchField } from './inputs/search-field.tsx'
import { Tooltip } from './frames/tooltip.tsx'
import { TrafficBar } from './traffic/traffic-bar.tsx'

describe('with a clock of our own', () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
  afterEach(() => vi.useRealTimers())

  it('CONST-002 a copy button says for two seconds that it has copied', async () => {
    vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
    const screen = await showPart(<CopyButton value="abc" label="Copy key" />)
    await screen.getByRole('button', { name: 'Copy key' }).click()
    await expect.element(screen.getByRole('button', { name: 'Copied' })).toBeVisible()
    // Waiting for an element moves this clock too, so what holds until nearly two seconds is read without waiting.
    await vi.advanceTimersByTimeAsync(1500)
    expect(screen.getByRole('button', { name: 'Copied' }).query()).not.toBeNull()
    await vi.advanceTimersByTimeAsync(500)
    await expect.element(screen.getByRole('button', { name: 'Copy key' })).toBeVisible()
  })
})

it('CONST-008 a search waits until the typing has paused for 300 ms', async () => {
  const calls: { text: string; at: number }[] = []
  const screen = await showPart(<SearchField label="Search" onSearch={(text) => calls.push({ text, at: performance.now() })} />)
  const field = screen.getByRole('searchbox')
  let typedAt = 0
  field.element().addEventListener('input', () => (typedAt = performance.now()))
  await field.fill('ab')
  await expect.poll(() => calls.length).toBe(1)
  expect(calls[0]?.text).toBe('ab')
  expect((calls[0]?.at ?? 0) - typedAt).toBeGreaterThanOrEqual(295)
})

it('SHELL-044 the loading bar spans the page and may carry a word', async () => {
  const screen = await showPart(<LoadingBar text="Loading profiles" />)
  await expect.element(screen.getByRole('progressbar', { name: 'Loading profiles' })).toBeInTheDocument()
  await expect.element(screen.getByText('Loading profiles')).toBeVisible()
  const bar = screen.getByRole('progressbar').element().getBoundingClientRect()
  expect([bar.width, bar.height]).toEqual([window.innerWidth, window.innerHeight])
})

it('NODE-055 a limit of zero is full, and nothing is wrong with it', async () => {
  const screen = await showPart(<TrafficBar usedBytes={5} limitBytes={0} label="Traffic" />)
  const bar = screen.getByRole('progressbar', { name: 'Traffic' })
  await expect.element(bar).toHaveAttribute('aria-valuenow', '100')
  await expect.element(bar).toHaveAttribute('data-color', 'teal')
})

it('NODE-057 without a limit the traffic bar is full and teal, and reads as no share of anything', async () => {
  const screen = await showPart(<TrafficBar usedBytes={5} label="Traffic" />)
  const bar = screen.getByRole('img', { name: 'Traffic' })
  await expect.element(bar).toHaveAttribute('data-color', 'teal')
  // Faint from end to end, as no share is.
  expect(colorName(getComputedStyle(bar.element()).backgroundColor)).toBe('teal')
  const { width, height } = bar.element().getBoundingClientRect()
  expect(height).toBe(4)
  expect(width).toBe(bar.element().parentElement?.getBoundingClientRect().width)
  expect(screen.getByRole('progressbar').query()).toBeNull()
})

it('a finger finds what is small on 40 px around it', async () => {
  await cdp().send('Emulation.setTouchEmulationEnabled', { enabled: true })
  try {
    const screen = await showPart(
      <div style={{ padding: 60 }}>
        <ActionIcon size="sm" aria-label="More" />
        <div style={{ height: 60 }} />
        <Checkbox aria-label="Select" />
        <div style={{ height: 60 }} />
        <SegmentedControl size="xs" data={['One', 'Two']} />
        <div style={{ height: 60 }} />
        <Button size="compact-sm">Compare</Button>
        <TextInput label="Name" />
        <RowMenu label="Actions" isBusy={false}>
          <Menu.Item>Remove</Menu.Item>
        </RowMenu>
      </div>,
    )
    await expect.poll(() => matchMedia('(pointer: coarse)').matches).toBe(true)
    for (const [role, name] of [
      ['button', 'More'],
      ['checkbox', 'Select'],
      ['button', 'Compare'],
    ] as const) {
      const small = screen.getByRole(role, { name })
      const box = small.element().getBoundingClientRect()
      const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2]
      for (const [dx, dy] of [
        [-19, 0],
        [19, 0],
        [0, -19],
        [0, 19],
      ] as const)
        expect(document.elementFromPoint(x + dx, y + dy)).toBe(small.element())
    }
    expect(screen.getByLabelText('Name').element().getBoundingClientRect().height).toBeGreaterThanOrEqual(40)
    await screen.getByRole('button', { name: 'Actions' }).click()
    const item = screen.getByRole('menuitem', { name: 'Remove' })
    await expect.poll(() => item.element().getBoundingClientRect().height).toBeGreaterThanOrEqual(39.5)
    expect(screen.getByText('One').element().closest('label')?.getBoundingClientRect().height).toBeGreaterThanOrEqual(40)
  } finally {
    await cdp().send('Emulation.setTouchEmulationEnabled', { enabled: false })
  }
})

it('a relative time carries the exact instant', async () => {
  // The present that is shown may be ten seconds old: within them three hours would not be over yet.
  const at = new Date(Date.now() - 3.1 * 3_600_000).toISOString()
  const screen = await showPart(<RelativeTime at={at} />)
  await expect.element(screen.getByText('3 hr. ago')).toHaveAttribute('datetime', at)
  const broken = await showPart(<RelativeTime at="once" />)
  await expect.element(broken.getByText('invalid date')).toBeVisible()
})

it('a button with a tooltip and a menu is the same button before and after they are made, and says that it has a menu', async () => {
  const screen = await showPart(
    <>
      <MenuButton
        button={(props) => (
          <Tooltip label="Look">
            <ActionIcon {...props} aria-label="Look" />
          </Tooltip>
        )}
      >
        <Menu.Dropdown>
          <Menu.Item>Dark</Menu.Item>
        </Menu.Dropdown>
      </MenuButton>
      <p>elsewhere</p>
    </>,
  )
  const button = screen.getByRole('button', { name: 'Look' })
  const element = button.element()
  const words = page.getByRole('tooltip', { name: 'Look' })
  const item = page.getByRole('menuitem', { name: 'Dark' })
  await expect.element(button).toHaveAttribute('aria-haspopup', 'menu')
  await expect.element(button).toHaveAttribute('aria-expanded', 'false')

  await button.hover()
  await expect.element(words).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(words).not.toBeInTheDocument()
  await screen.getByText('elsewhere').hover()
  await button.hover()
  await expect.element(words).toBeVisible()
  await screen.getByText('elsewhere').hover()
  await expect.element(words).not.toBeInTheDocument()

  await button.click()
  await expect.element(item).toBeVisible()
  await expect.element(button).toHaveAttribute('aria-expanded', 'true')
  const menu = page.getByRole('menu', { name: 'Look' })
  expect(button.element().getAttribute('aria-controls')).toBe(menu.element().id)
  await button.click()
  await expect.element(item).not.toBeInTheDocument()
  await button.click()
  await expect.element(item).toBeVisible()
  await screen.getByText('elsewhere').click()
  await expect.element(item).not.toBeInTheDocument()
  expect(button.element()).toBe(element)
})
