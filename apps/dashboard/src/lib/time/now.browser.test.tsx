import { useEffect, type ReactNode } from 'react'
import { expect, it, vi } from 'vitest'
import { render } from 'vitest-browser-react'
import { useNow } from './now.ts'

it('what shows the present is drawn once with it, however long ago its code came', async () => {
  const drawn: number[] = []
  function Clock() {
    'use no memo' // counts its drawings
    const now = useNow()
    drawn.push(now)
    return <time>{now}</time>
  }
  const onFollowed = vi.fn<() => void>()
  const came = Date.now()
  await expect.poll(() => Date.now() - came).toBeGreaterThan(10)
  await render(
    <Around onFollowed={onFollowed}>
      <Clock />
    </Around>,
  )
  await expect.poll(() => onFollowed.mock.calls.length).toBe(1)
  expect(drawn).toHaveLength(1)
  expect(Math.abs(Date.now() - (drawn[0] ?? 0))).toBeLessThan(10_000)
})

/** Its effect comes after those of what is in it: the subscription to the clock. */
function Around({ onFollowed, children }: { onFollowed: () => void; children: ReactNode }) {
  useEffect(onFollowed, [onFollowed])
  return children
}
