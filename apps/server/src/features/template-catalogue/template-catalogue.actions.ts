import { errors, type CatalogueEntry, type CatalogueKind } from '@causeway/contract'
import { shippedTemplates } from '@causeway/subscription'
import { shippedProfiles } from '@causeway/xray'
import { newProfileSecrets } from '../../lib/profile-secrets.ts'
import type { Ctx } from '../../ctx.ts'
import { fail } from '../../http/errors.ts'
import { requestOutside } from '../../lib/outgoing.ts'
import { Cache } from '../../lib/cache.ts'
import { refreshed } from '../../lib/recent.ts'
import { readCatalogue } from './template-catalogue.rules.ts'

const HOUR_MS = 3_600_000
const TEXT_LIFETIME_MS = 600_000
const TIMEOUT_MS = 5000
/** As large as a template may be in bytes, whatever its letters. */
const MAX_TEXT_BYTES = 1_000_000
const MAX_TEXTS = 20
const MAX_REDIRECTS = 3
const OFFICIAL = { author: 'Causeway', isOfficial: true } as const

/**
 * Templates to start from: those shipped with this server, and those of the operator's public catalogues. The browser
 * asks no outside host; the server fetches only addresses that the catalogue itself names.
 */
export function openCatalogue({ config, log }: Pick<Ctx, 'config' | 'log'>) {
  const addresses = { SUBSCRIPTION: config.TEMPLATE_CATALOGUE_URL, XRAY_CORE: config.PROFILE_CATALOGUE_URL }
  const outside = { SUBSCRIPTION: outsideReader('SUBSCRIPTION'), XRAY_CORE: outsideReader('XRAY_CORE') }
  const texts = new Cache<Promise<string>>({ most: MAX_TEXTS, isFresh: (ageMs) => ageMs < TEXT_LIFETIME_MS })
  const shipped = shippedEntries()

  function outsideReader(kind: CatalogueKind): () => Promise<CatalogueEntry[]> {
    const address = addresses[kind]
    if (address === null) return () => Promise.resolve([])
    return refreshed(HOUR_MS, async () => readCatalogue(kind, address, await fetchText(kind, address)))
  }

  async function fetchText(kind: CatalogueKind, url: string): Promise<string> {
    const operatorsOwn = addresses[kind] === null ? [] : [new URL(addresses[kind]).hostname]
    const reply = await requestOutside(url, {
      allowedPrivateHosts: [...operatorsOwn, ...config.OUTGOING_PRIVATE_HOSTS],
      maxRedirects: MAX_REDIRECTS,
      maxBytes: MAX_TEXT_BYTES,
      timeoutMs: TIMEOUT_MS,
    })
    if (reply.status !== 200) throw new Error(`${url} answered with status ${reply.status}`)
    return reply.body.toString('utf8')
  }

  async function list(kind: CatalogueKind) {
    const own = shipped
      .filter((entry) => entry.kind === kind)
      .map(({ name, author, type, url, isOfficial }) => ({ name, author, type, url, isOfficial }))
    if (addresses[kind] === null) return { entries: own, outside: 'off' as const }
    try {
      return { entries: [...own, ...(await outside[kind]())], outside: 'loaded' as const }
    } catch (error) {
      log.warn({ err: error, kind }, 'failed to read the public template catalogue')
      return { entries: own, outside: 'failed' as const }
    }
  }

  async function read(kind: CatalogueKind, url: string): Promise<{ text: string }> {
    const own = shipped.find((entry) => entry.kind === kind && entry.url === url)
    if (own) return { text: own.text() }
    const { entries } = await list(kind)
    if (!entries.some((entry) => entry.url === url)) fail(errors.catalogueEntryUnknown)
    try {
      return { text: await texts.find(url, () => fetchText(kind, url)) }
    } catch (error) {
      log.warn({ err: error, url }, 'failed to read a template of the public catalogue')
      return fail(errors.catalogueEntryUnreachable)
    }
  }
  return { list, read }
}

function shippedEntries() {
  return [
    ...shippedTemplates().map(({ type, variant, name, text }) => ({
      ...OFFICIAL,
      kind: 'SUBSCRIPTION' as const,
      name,
      type,
      url: `shipped:${type}/${variant}`,
      text: () => text,
    })),
    ...shippedProfiles.map(({ variant, name, config }) => ({
      ...OFFICIAL,
      kind: 'XRAY_CORE' as const,
      name,
      type: 'XRAY_CORE' as const,
      url: `shipped:XRAY_CORE/${variant}`,
      text: () => JSON.stringify(config(newProfileSecrets()), null, 2),
    })),
  ]
}
