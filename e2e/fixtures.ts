import { test as base } from '@playwright/test'
import type { Api } from './stage/api-client.ts'
import { lending, type Seeding } from './stage/seeding.ts'
import { signedIn, startPanel, type Panel, type SignedIn } from './stage/panel.ts'

interface WorkerFixtures {
  /** This worker's real server, on a database of its own, with a registered administrator. */
  panel: Panel
  session: SignedIn
}

interface TestFixtures extends Seeding {
  /** What all of `makeUser` and its like make; they are its parts. */
  lent: Seeding
  /** The API as the signed-in administrator. */
  api: Api
  /** `page` starts signed in; `test.use({ isSignedIn: false })` makes it a stranger's. */
  isSignedIn: boolean
  /** Each page would fetch the code of all others once it rests, which is a quarter of the time that tests keep the processor busy. */
  isDataSaved: boolean
}

/**
 * What every test of the product starts from. Tests of one worker share a server: each makes its own data with names of its
 * own, and what it makes is gone after it, so that the next finds lists as short as the first did. A test that needs a server in another state (no administrator yet, OAuth on) starts one with `startPanel`.
 */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  panel: [
    // eslint-disable-next-line no-empty-pattern -- Playwright reads a fixture's needs from this pattern
    async ({}, provide) => {
      const panel = await startPanel()
      await provide(panel)
      await panel.close()
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  session: [async ({ panel }, provide) => provide(await signedIn(panel)), { scope: 'worker' }],
  isSignedIn: [true, { option: true }],
  baseURL: async ({ panel }, provide) => provide(panel.origin),
  storageState: async ({ panel, session, isSignedIn }, provide) => {
    const localStorage = isSignedIn ? [{ name: 'session', value: session.token }] : []
    await provide({
      cookies: [],
      origins: [{ origin: panel.origin, localStorage: [...localStorage, { name: 'i18nextLng', value: 'en' }] }],
    })
  },
  isDataSaved: [true, { option: true }],
  context: async ({ context, isDataSaved }, provide) => {
    if (isDataSaved)
      await context.addInitScript(() =>
        Object.defineProperty(navigator, 'connection', { value: { saveData: true }, configurable: true }),
      )
    await provide(context)
  },
  api: async ({ session }, provide) => provide(session.api),
  lent: async ({ api }, provide) => {
    const { seed, takeBack } = lending(api)
    await provide(seed)
    await takeBack()
  },
  makeUser: async ({ lent }, provide) => provide(lent.makeUser),
  makeConfigProfile: async ({ lent }, provide) => provide(lent.makeConfigProfile),
  makeInternalSquad: async ({ lent }, provide) => provide(lent.makeInternalSquad),
  makeNode: async ({ lent }, provide) => provide(lent.makeNode),
  makeHost: async ({ lent }, provide) => provide(lent.makeHost),
})

export { expect } from '@playwright/test'
