import { expect, it, onTestFinished } from 'vitest'
import html from '../../index.html?raw'

it('while the scripts are on their way, the page shows that it is coming, and not at once', async () => {
  const frame = document.createElement('iframe')
  document.body.append(frame)
  onTestFinished(() => frame.remove())
  frame.srcdoc = html.replaceAll(/<script[\s\S]*?<\/script>/g, '')
  await expect.poll(() => frame.contentDocument?.querySelector('#root progress')).toBeTruthy()
  const progress = frame.contentDocument?.querySelector('#root progress')
  if (!progress) throw new Error('there is no sign of loading')
  const look = () => getComputedStyle(progress).visibility
  expect(look()).toBe('hidden')
  await expect.poll(look, { timeout: 10_000 }).toBe('visible')
})
