import { describe, expect, it } from 'vitest'
import {
  compileTemplates,
  defaultSubscriptionSettings,
  defaultTemplates,
  formatOfClientType,
  formatOfUserAgent,
  renderSubscription,
  shareLinks,
  subscriptionEntries,
  type PreparedHost,
  type Subscriber,
  type SubscriptionFormat,
} from '@causeway/subscription'
import { hysteriaHosts, matrixOf, newerHosts, overriddenHosts, protocols } from '../../test/matrix.ts'
import { makeUser, seededRandom, valuesOf } from '../../test/samples.ts'

// Whole outputs, compared with the files in golden/. After an intended change run these tests with `--update` and read
// the difference like code.

const templates = compileTemplates(defaultTemplates)

const formats: Record<string, { format: SubscriptionFormat; extension: string }> = {
  'xray-json': { format: formatOfClientType('json'), extension: 'json' },
  mihomo: { format: formatOfClientType('mihomo'), extension: 'yaml' },
  stash: { format: formatOfClientType('stash'), extension: 'yaml' },
  clash: { format: formatOfClientType('clash'), extension: 'yaml' },
  singbox: { format: formatOfClientType('singbox'), extension: 'json' },
  'singbox-1.11': { format: formatOfUserAgent('SFA/1.11.0', false), extension: 'json' },
  'singbox-legacy': { format: formatOfClientType('singbox-legacy'), extension: 'json' },
  'singbox-unknown': { format: formatOfUserAgent('Karing/1.0', false), extension: 'json' },
  outline: { format: formatOfUserAgent('Outline', false), extension: 'json' },
}

const subscriptions: Record<string, { hosts: () => PreparedHost[]; user?: Partial<Subscriber> }> = {
  ...Object.fromEntries(protocols.map((protocol) => [protocol, { hosts: () => matrixOf(protocol) }])),
  hysteria: { hosts: hysteriaHosts },
  newer: { hosts: newerHosts },
  overrides: { hosts: overriddenHosts },
  expired: { hosts: overriddenHosts, user: { status: 'EXPIRED' } },
  'no-hosts': { hosts: () => [] },
}

/** Subscriptions of few hosts; of the others as Xray JSON, what is the same for all hosts is left out. */
const WHOLE = new Set(['expired', 'hysteria', 'newer', 'no-hosts'])

function entriesOf(name: string) {
  const { hosts, user: fields } = subscriptions[name] ?? { hosts: () => [] }
  const user = makeUser(fields)
  const request = { values: valuesOf(user), hasSquads: true, keepOrder: false, random: seededRandom() }
  return subscriptionEntries(user, hosts(), defaultSubscriptionSettings, request)
}

describe.each(Object.keys(subscriptions))('the subscription "%s"', (name) => {
  it.each(Object.keys(formats))('is the golden file as %s', async (formatName) => {
    const { format, extension } = formats[formatName] ?? { format: { kind: 'links' }, extension: 'txt' }
    const { body } = renderSubscription(format, entriesOf(name), { templates, isHapp: false, random: seededRandom() })
    const isLong = format.kind === 'xray-json' && !WHOLE.has(name)
    await expect(isLong ? outboundsOf(body) : isCompact(format) ? readable(body) : body).toMatchFileSnapshot(
      `golden/${name}.${formatName}.${isLong ? 'jsonl' : extension}`,
    )
  })

  it.each([true, false])('is the golden file as links (Happ: %s)', async (isHapp) => {
    const links = shareLinks(entriesOf(name), { isHapp }).join('\n')
    await expect(links).toMatchFileSnapshot(`golden/${name}.links${isHapp ? '-happ' : ''}.txt`)
  })
})

it('Mihomo is told of VLESS encryption from the version on that knows it', async () => {
  const written = (userAgent: string) =>
    renderSubscription(formatOfUserAgent(userAgent, false), entriesOf('newer'), {
      templates,
      isHapp: false,
      random: seededRandom(),
    })
  const { body } = written('clash.meta/v1.19.13')
  await expect(body).toMatchFileSnapshot('golden/newer.mihomo-1.19.13.yaml')
  expect(written('mihomo/1.20.0').body).toBe(body)
  for (const userAgent of ['mihomo/1.19.12', 'clash-verge/v2.4.2', 'FlClash/0.8.90'])
    expect(written(userAgent).body).not.toContain('encrypted')
})

const isCompact = ({ kind }: SubscriptionFormat) => kind === 'xray-json' || kind === 'outline'

/** Of each host its name and its own outbound, a line each; fails where anything else differs between two hosts. */
function outboundsOf(body: string): string {
  const entries = JSON.parse(body) as { remarks: string; outbounds: unknown[] }[] // the format's own form
  const around = entries.map(({ outbounds: [, ...others], ...rest }) => JSON.stringify({ ...rest, others, remarks: '' }))
  expect(new Set(around).size).toBe(1)
  return `${entries.map(({ remarks, outbounds: [own] }) => JSON.stringify({ remarks, own })).join('\n')}\n`
}

/** Compact JSON with line breaks, for the eyes of who reads a golden file; fails when it was not compact. */
function readable(body: string): string {
  const value: unknown = JSON.parse(body)
  expect(JSON.stringify(value)).toBe(body)
  return JSON.stringify(value, null, 2)
}
