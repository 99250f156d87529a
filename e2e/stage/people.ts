import { expect, test, type Browser } from '@playwright/test'
import type { Panel, SignedIn } from './panel.ts'
import { person, WAYS, type Person, type Way } from './person.ts'

/** One for each way, signed in. */
export type People = Record<Way, Person>

export async function openPeople(browser: Browser, panel: Panel, admin: SignedIn): Promise<People> {
  const people = await Promise.all(WAYS.map(async (way) => [way, await openPerson(browser, panel, admin, way)]))
  return Object.fromEntries(people) as People // one for each
}

export async function closePeople(people: People): Promise<void> {
  await Promise.all(Object.values(people).map(({ page }) => page.context().close()))
}

/** A person who saves data is sent no pages ahead, which with every page that is opened would be half of the work. */
export async function openPerson(browser: Browser, panel: Panel, admin: SignedIn, way: Way, isDataSaved = true): Promise<Person> {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
  const localStorage = [
    { name: 'session', value: admin.token },
    { name: 'i18nextLng', value: 'en' },
    { name: 'users-mobile-notice', value: JSON.stringify({ version: 1, state: { isDismissed: true } }) },
  ]
  const context = await browser.newContext({
    ...(way === 'phone' ? phone : { viewport: { width: 1440, height: 900 } }),
    reducedMotion: 'reduce',
    baseURL: panel.origin,
    storageState: { cookies: [], origins: [{ origin: panel.origin, localStorage }] },
  })
  if (isDataSaved)
    await context.addInitScript(() =>
      Object.defineProperty(navigator, 'connection', { value: { saveData: true }, configurable: true }),
    )
  return person(await context.newPage(), way)
}

/**
 * One after the other; each begins where the address says, and may take as many steps as are given for their way.
 */
export async function everyone(
  people: People,
  most: Record<Way, number>,
  from: string,
  task: (who: Person) => Promise<void>,
  ways: readonly Way[] = WAYS,
): Promise<void> {
  for (const way of ways) {
    await test.step(way, async () => {
      const who = people[way]
      await who.page.goto(from)
      await expect(who.page.getByRole('heading', { level: 1 })).toBeVisible()
      const before = who.steps()
      await task(who)
      const steps = who.steps() - before
      console.log(`${test.info().title} · ${way}: ${steps} steps of ${most[way]}`)
      expect(steps, `steps by ${way}`).toBeLessThanOrEqual(most[way])
    })
  }
}
