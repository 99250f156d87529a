import { z } from 'zod'
import { wireJson, wireList, wireText, wireUuid } from './wire.ts'

// Members of a host since later generations. Each has no effect until it is set.

/** Kinds of subscriptions that a host can be left out of. */
export const excludedType = z.enum(['XRAY_JSON', 'XRAY_BASE64', 'MIHOMO', 'STASH', 'CLASH', 'SINGBOX'])
export type ExcludedType = z.output<typeof excludedType>

export const mihomoIpVersion = z.enum(['dual', 'ipv4', 'ipv6', 'ipv4-prefer', 'ipv6-prefer'])

const MOST_STEPS = 100
const path = wireText(512).min(1, 'must not be empty')
export const mapperStep = z.discriminatedUnion('op', [
  z.object({ op: z.literal('copy'), from: path, to: path }),
  z.object({
    op: z.literal('set'),
    value: wireJson().refine((value) => value !== undefined && value !== null, 'must not be null'),
    to: path,
  }),
  z.object({ op: z.literal('unset'), to: path }),
])
export type MapperStep = z.output<typeof mapperStep>

const steps = wireList(mapperStep, MOST_STEPS).optional()
/** Steps by which the proxies of a host are changed after they have been generated, by client. */
export const hostMapper = z.object({ xrayJson: steps, mihomo: steps, base64: steps, singbox: steps })
export type HostMapper = z.output<typeof hostMapper>

/** As answers show it: what writes them can choose between no forms. */
export const shownMapper = z.record(z.string(), z.unknown())

const MOST_SQUADS = 10_000
const FINGERPRINT = '(?:[0-9a-f]{2}:?){31}[0-9a-f]{2}'

export const hostAdditions = z.object({
  keepSniBlank: z.boolean().describe('no server name, unless the host itself has one'),
  xrayJsonTemplateUuid: wireUuid.nullable().describe('a template of the type XRAY_JSON that this host is rendered with'),
  excludedInternalSquads: wireList(wireUuid, MOST_SQUADS).describe('squads that do not count for this host'),
  excludeFromSubscriptionTypes: wireList(excludedType, excludedType.options.length),
  finalMask: wireJson(),
  pinnedPeerCertSha256: wireText(2000)
    .regex(
      new RegExp(`^(?:${FINGERPRINT}(?:\\s*,\\s*${FINGERPRINT})*)?$`, 'i'),
      'must be SHA-256 fingerprints of 64 hexadecimal digits, with commas between them',
    )
    .nullable(),
  verifyPeerCertByName: wireText(2000)
    .regex(/^(?:[\p{L}\p{N}_.*:-]+(?:\s*,\s*[\p{L}\p{N}_.*:-]+)*)?$/u, 'must be names with commas between them')
    .nullable(),
  mihomoIpVersion: mihomoIpVersion.nullable(),
  mapper: hostMapper,
})
