import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from '@playwright/test'
import { signedIn, startPanel } from './stage/panel.ts'

/** Stands for the public release service; the star count waits until it is let go. */
async function startReleaseService(tag: string) {
  let letGo = () => {}
  const held = new Promise<void>((resolve) => (letGo = resolve))
  const server = createServer((request, response) => {
    void held.then(() =>
      response.end(request.url?.startsWith('/stars') ? '{"totalStars":4321}' : JSON.stringify({ release: { tag } })),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // listens on a port
  return { url: `http://127.0.0.1:${port}`, letGo, close: () => server.close() }
}

test('SHELL-011 SHELL-012 SHELL-056 stars are counted behind a loading state, and a newer release is offered', async ({
  page,
}) => {
  const service = await startReleaseService('v99.0.0')
  const panel = await startPanel({
    env: { REPOSITORY_URL: 'https://code.example/team/panel', RELEASE_SERVICE_URL: service.url, BUILD_BRANCH: 'main' },
  })
  const { token } = await signedIn(panel)
  await page.addInitScript((session) => localStorage.setItem('session', session), token)
  await page.goto(`${panel.origin}/dashboard/home`)
  await expect(page.getByLabel('Counting stars')).toBeVisible()
  service.letGo()
  await expect(page.getByLabel('4,321 stars').or(page.getByLabel('4321 stars'))).toBeVisible()
  await expect(page.getByText('v99.0.0 available')).toBeVisible()
  await panel.close()
  service.close()
})
