import type { UserStatus } from '@causeway/contract'
import { shadowsocksMethod } from '@causeway/xray'
import type { SubscriptionFormat } from './client-format.ts'
import { shareLinks } from './formats/links.ts'
import { forFormat } from './host-choice.ts'
import type { ProxyEntry } from './proxy-entry.ts'
import { renderSubscription, type RenderOptions, type Rendered } from './render.ts'
import type { Random, Subscriber } from './subscriber.ts'
import { base64, isAscii, uriEncode } from './text/text-encoding.ts'
import { yamlText } from './text/yaml-text.ts'

// Users of the same squads get the same text except for their credentials. It is rendered once with holes in their
// place, and filled for each user. The property is tested rather than deduced: the text is rendered for two users
// with nothing in common and different random sequences. It must be equal around the holes. Otherwise there is no
// stencil: remarks name the user, an order or address is random, or credentials are part of something encoded.

export interface Stencil {
  format: SubscriptionFormat
  contentType: Rendered['contentType']
  /** One more than there are holes. */
  texts: readonly string[]
  isAscii: boolean
  /** The credential between one text and the next, by its number among the credentials of the format. */
  holes: readonly number[]
}

export type StencilOptions = Omit<RenderOptions, 'random'>

/** Where texts depend on the user's status, they are those of `status`. `entriesOf` is given the moment as well: it counts days. */
export function stencilOf(
  format: SubscriptionFormat,
  status: UserStatus,
  entriesOf: (user: Subscriber, random: Random) => ProxyEntry[],
  options: StencilOptions,
): Stencil | null {
  const [first, second] = [strangers.plain, strangers.odd].map(({ user, random }) => {
    const entries = entriesOf({ ...user, status }, random())
    return cut(unfinished(format, entries, { ...options, random: random() }), credentialsOf(format, user))
  })
  if (!first || !second || first.holes.join() !== second.holes.join()) return null
  if (first.texts.some((text, index) => text !== second.texts[index])) return null
  const { contentType } = renderSubscription(format, [], { ...options, random: () => 0 })
  return { format, contentType, isAscii: first.texts.every(isAscii), ...first }
}

/** The subscription of one user: the stencil with this user's credentials in its holes. */
export function fillStencil({ format, contentType, texts, isAscii: isFrameAscii, holes }: Stencil, user: Credentials): Rendered {
  const credentials = credentialsOf(format, user)
  let body = texts[0] ?? ''
  for (const [index, hole] of holes.entries()) body += `${credentials[hole]}${texts[index + 1]}`
  if (format.kind !== 'links') return { contentType, body }
  return { contentType, body: base64(body, isFrameAscii && credentials.every(isAscii)) }
}

/** Links are one Base64 text for clients, in which nothing could be found again. */
function unfinished(format: SubscriptionFormat, entries: ProxyEntry[], options: RenderOptions): string {
  if (format.kind === 'links') return shareLinks(forFormat(format, entries), options).join('\n')
  return renderSubscription(format, entries, options).body
}

type Credentials = Pick<Subscriber, 'vlessUuid' | 'trojanPassword' | 'ssPassword'>

/** Credentials of a user as the format writes them. */
function credentialsOf(format: SubscriptionFormat, { vlessUuid, trojanPassword, ssPassword }: Credentials): string[] {
  switch (format.kind) {
    case 'links':
      return [vlessUuid, uriEncode(trojanPassword), base64(`${shadowsocksMethod}:${ssPassword}`)]
    case 'mihomo':
    case 'stash':
    case 'clash':
      return [vlessUuid, trojanPassword, ssPassword].map((secret) => yamlText(secret).trimEnd())
    case 'outline':
    case 'xray-json':
    case 'sing-box':
      return [vlessUuid, trojanPassword, ssPassword].map((secret) => JSON.stringify(secret).slice(1, -1))
  }
}

function cut(text: string, credentials: readonly string[]): Pick<Stencil, 'texts' | 'holes'> {
  const texts: string[] = []
  const holes: number[] = []
  for (let from = 0; ;) {
    const places = credentials.map((secret) => text.indexOf(secret, from))
    const at = Math.min(...places.filter((place) => place >= 0))
    texts.push(text.slice(from, Number.isFinite(at) ? at : undefined))
    if (!Number.isFinite(at)) return { texts, holes }
    const hole = places.indexOf(at)
    holes.push(hole)
    from = at + (credentials[hole]?.length ?? 0)
  }
}

/**
 * Random numbers rise for one user and fall for the other, so that equal draws mean that nothing depends on them.
 * They stay near the ends: of three items both would draw the second where they meet, after some hundreds of hosts.
 */
const steps = (from: number, step: number) => (): Random => {
  let next = from
  return () => (next += step)
}
const STEP = 1e-9

/** No value that a template can name is the same for both, and the credentials of one have what formats must write in other ways. */
export const strangers = {
  plain: {
    random: steps(0, STEP),
    user: {
      shortUuid: 'Qm7xPlainShortUuid',
      username: 'plain_stranger',
      usedTrafficBytes: 3 * 2 ** 30,
      lifetimeUsedTrafficBytes: 5 * 2 ** 30,
      trafficLimitBytes: 11 * 2 ** 30,
      trafficLimitStrategy: 'NO_RESET',
      expireAt: new Date('2130-01-01T00:00:00Z'),
      tag: 'PLAIN',
      email: 'plain@stranger.example',
      telegramId: 101_202_303,
      id: 1_234_567,
      description: 'Plain stranger',
      hwidDeviceLimit: 41,
      createdAt: new Date('2031-02-03T04:05:06Z'),
      lastTrafficResetAt: new Date('2032-03-04T05:06:07Z'),
      vlessUuid: 'a3c1f0e2-7d4b-4e69-9c58-b1a2d3e4f506',
      trojanPassword: 'plainTrojanVkq82LmTz5WcRb19Hd',
      ssPassword: 'plainShadowXw47NpGf3QsJy60Zu',
    },
  },
  odd: {
    random: steps(1, -STEP),
    user: {
      shortUuid: '0dd-Zt5ShortUuid',
      username: 'another-odd',
      usedTrafficBytes: 17 * 2 ** 30,
      lifetimeUsedTrafficBytes: 19 * 2 ** 30,
      trafficLimitBytes: 43 * 2 ** 30,
      trafficLimitStrategy: 'DAY',
      expireAt: new Date('2140-06-01T00:00:00Z'),
      tag: 'ODD',
      email: 'odd@another.example',
      telegramId: 909_808_707,
      id: 7_654_321,
      description: 'Odd one',
      hwidDeviceLimit: 97,
      createdAt: new Date('2041-07-08T09:10:11Z'),
      lastTrafficResetAt: new Date('2042-08-09T10:11:12Z'),
      vlessUuid: '05d7b8c9-1e2f-4a3b-8c4d-e5f607182930',
      trojanPassword: '0 odd: "Trojan" \\ /é?#%+&=-Kj73',
      ssPassword: '- odd: "Shadow" \\ /ü?#%+&=-Pw28',
    },
  },
} as const satisfies Record<string, { random: () => Random; user: Omit<Subscriber, 'status'> }>
