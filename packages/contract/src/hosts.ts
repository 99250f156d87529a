import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { later } from './generations.ts'
import { excludedType, hostAdditions, hostMapper, shownMapper } from './host-additions.ts'
import { ownTags } from './tags.ts'
import { tagName, wireDateTime, wireInstant, wireInt, wireJson, wireList, wireText, wireUuid } from './wire.ts'

export const alpn = z.enum(['h3', 'h2', 'http/1.1', 'h2,http/1.1', 'h3,h2,http/1.1', 'h3,h2'])
export const fingerprint = z.enum(['chrome', 'firefox', 'safari', 'ios', 'android', 'edge', 'qq', 'random', 'randomized'])
export const securityLayer = z.enum(['DEFAULT', 'TLS', 'NONE'])

/** More than any fleet has. */
const MAX_NODES = 10_000

const inboundRef = z.object({ configProfileUuid: wireUuid, configProfileInboundUuid: wireUuid })
export const REMARK_MAX_LENGTH = 40
export const SERVER_DESCRIPTION_MAX_LENGTH = 30

const remark = z.string().max(REMARK_MAX_LENGTH, `must have at most ${REMARK_MAX_LENGTH} characters`)
const port = wireInt.min(1, 'must be from 1 to 65535').max(65535, 'must be from 1 to 65535')

// Members of a host that appear in links and configurations must not terminate them: each is checked here and encoded
// there once more.
/** A name, in any script and perhaps with a wildcard, or an address. */
const NAME = '[\\p{L}\\p{N}\\p{M}_.*-]+'
const IPV6 = '\\[?[0-9a-f]*:[0-9a-f]*:[0-9a-f:.]*\\]?'
const hostAddress = wireText(2000)
  .trim()
  .regex(
    new RegExp(`^(?:${NAME}|${IPV6})(?:\\s*,\\s*(?:${NAME}|${IPV6}))*$`, 'iu'),
    'must be a domain name or an IP address, or several with commas between them',
  )
const hostName = wireText(1000).regex(
  new RegExp(`^(?:(?:${NAME}|${IPV6})(?::\\d{1,5})?)?$`, 'iu'),
  'must be a domain name or an IP address',
)
const hostPath = wireText(2000).regex(/^[^\p{C}\s]*$/u, 'must not contain spaces, line breaks or control characters')

/** The fields an administrator edits. Create and update are made from these; bulk routes change single ones. */
export const hostFields = z.object({
  inbound: inboundRef,
  remark,
  address: hostAddress,
  port,
  path: hostPath,
  sni: hostName,
  host: hostName,
  alpn: alpn.nullable(),
  fingerprint: fingerprint.nullable(),
  isDisabled: z.boolean(),
  securityLayer,
  xHttpExtraParams: wireJson(),
  muxParams: wireJson(),
  sockoptParams: wireJson(),
  serverDescription: z
    .string()
    .max(SERVER_DESCRIPTION_MAX_LENGTH, `must have at most ${SERVER_DESCRIPTION_MAX_LENGTH} characters`)
    .nullable(),
  tag: tagName(32).nullable().describe('the first of the tags; sets that one alone, and null sets none'),
  tags: ownTags,
  isHidden: z.boolean(),
  overrideSniFromAddress: z.boolean(),
  vlessRouteId: wireInt.min(0, 'must be from 0 to 65535').max(65535, 'must be from 0 to 65535').nullable(),
  shuffleHost: z.boolean().describe('put first, in random order, at each request'),
  mihomoX25519: z.boolean().describe('REALITY with the post-quantum key exchange in Mihomo and Stash'),
  nodes: z.array(wireUuid).max(MAX_NODES).describe('which nodes are meant to serve the host; hides nothing'),
  allowInsecure: z.boolean().describe('apps accept any certificate of the server'),
  ...hostAdditions.shape,
})

export const host = hostFields.extend({
  uuid: wireUuid,
  viewPosition: wireInt,
  remark: z.string(),
  address: z.string(),
  port: wireInt,
  path: z.string().nullable(),
  sni: z.string().nullable(),
  host: z.string().nullable(),
  alpn: z.string().nullable(),
  fingerprint: z.string().nullable(),
  xHttpExtraParams: z.unknown().nullable(),
  muxParams: z.unknown().nullable(),
  sockoptParams: z.unknown().nullable(),
  inbound: z.object({ configProfileUuid: wireUuid.nullable(), configProfileInboundUuid: wireUuid.nullable() }),
  serverDescription: z.string().nullable(),
  tag: z.string().nullable(),
  vlessRouteId: wireInt.nullable(),
  // Later than 2.1.4: a server of that version does not send them, and works as if they were so.
  shuffleHost: hostFields.shape.shuffleHost.default(false),
  mihomoX25519: hostFields.shape.mihomoX25519.default(false),
  nodes: hostFields.shape.nodes.default([]),
  allowInsecure: hostFields.shape.allowInsecure.default(false),
  tags: later('2.8', z.array(z.string())),
  xhttpExtraParams: later('2.8', z.unknown().nullable()),
  finalMask: later('2.7', z.unknown().nullable()),
  keepSniBlank: later('2.3', z.boolean()),
  xrayJsonTemplateUuid: later('2.3', wireUuid.nullable()),
  excludedInternalSquads: later('2.3', z.array(wireUuid)),
  excludeFromSubscriptionTypes: later('2.6', z.array(excludedType)),
  pinnedPeerCertSha256: later('2.8', z.string().nullable()),
  verifyPeerCertByName: later('2.8', z.string().nullable()),
  mihomoIpVersion: later('2.8', z.string().nullable()),
  mapper: later('3.3', shownMapper),
  disabledUntil: wireInstant.nullable().optional().describe('when it is enabled by itself; own addition'),
  internalSquads: later('3.4', z.object({ mode: z.string(), squads: z.array(wireUuid) })),
})
export type Host = z.output<typeof host>

const required = hostFields.pick({ inbound: true, remark: true, address: true, port: true })
const createBody = hostFields
  .partial()
  .extend(required.shape)
  .extend({ remark: remark.min(1, 'must not be empty') })
const updateBody = hostFields.partial().extend({
  uuid: wireUuid,
  disabledUntil: wireDateTime.nullable().optional().describe('disables it until then; own addition'),
})

const tag = 'Hosts'
const byUuid = z.object({ uuid: wireUuid })
/** Named in one call. */
const MAX_HOSTS = 10_000
const selection = z.object({ uuids: wireList(wireUuid, MAX_HOSTS) })
const hosts = z.array(host)

export const createHost = endpoint({
  name: 'createHost',
  creates: true,
  title: 'Create Host',
  tag,
  access: 'hosts.write',
  method: 'POST',
  path: '/api/hosts',
  body: createBody,
  response: host,
  status: 201,
})
export const updateHost = endpoint({
  name: 'updateHost',
  title: 'Update Host',
  tag,
  access: 'hosts.write',
  method: 'PATCH',
  path: '/api/hosts',
  body: updateBody,
  response: host,
})
export const listHosts = endpoint({
  name: 'listHosts',
  title: 'Get All Hosts',
  tag,
  access: 'hosts.read',
  method: 'GET',
  path: '/api/hosts',
  response: hosts,
})
export const getHost = endpoint({
  name: 'getHost',
  title: 'Get Host',
  tag,
  access: 'hosts.read',
  method: 'GET',
  path: '/api/hosts/:uuid',
  params: byUuid,
  response: host,
})
export const deleteHost = endpoint({
  name: 'deleteHost',
  title: 'Delete Host',
  tag,
  access: 'hosts.write',
  method: 'DELETE',
  path: '/api/hosts/:uuid',
  params: byUuid,
  response: z.object({ isDeleted: z.boolean() }),
})
export const reorderHosts = endpoint({
  name: 'reorderHosts',
  title: 'Reorder Hosts',
  tag,
  access: 'hosts.write',
  method: 'POST',
  path: '/api/hosts/actions/reorder',
  body: z.object({ hosts: wireList(z.object({ viewPosition: wireInt, uuid: wireUuid }), MAX_HOSTS) }),
  response: z.object({ isUpdated: z.boolean() }),
})
export const listHostTags = endpoint({
  name: 'listHostTags',
  title: 'Get All Host Tags',
  tag,
  access: 'hosts.read',
  method: 'GET',
  path: '/api/hosts/tags',
  response: z.object({ tags: z.array(z.string()) }),
})
export const bulkEnableHosts = endpoint({
  name: 'bulkEnableHosts',
  title: 'Bulk Enable Hosts',
  tag,
  access: 'hosts.write',
  method: 'POST',
  path: '/api/hosts/bulk/enable',
  body: selection,
  response: hosts,
})
export const bulkDisableHosts = endpoint({
  name: 'bulkDisableHosts',
  title: 'Bulk Disable Hosts',
  tag,
  access: 'hosts.write',
  method: 'POST',
  path: '/api/hosts/bulk/disable',
  body: selection,
  response: hosts,
})
export const bulkDeleteHosts = endpoint({
  name: 'bulkDeleteHosts',
  title: 'Bulk Delete Hosts',
  tag,
  access: 'hosts.write',
  method: 'POST',
  path: '/api/hosts/bulk/delete',
  body: selection,
  response: hosts,
})
export const bulkSetHostsInbound = endpoint({
  name: 'bulkSetHostsInbound',
  title: 'Set Inbound To Hosts',
  tag,
  access: 'hosts.write',
  method: 'POST',
  path: '/api/hosts/bulk/set-inbound',
  body: selection.extend(inboundRef.shape),
  response: hosts,
})
export const bulkSetHostsPort = endpoint({
  name: 'bulkSetHostsPort',
  title: 'Set Port To Hosts',
  tag,
  access: 'hosts.write',
  method: 'POST',
  path: '/api/hosts/bulk/set-port',
  body: selection.extend({ port }),
  response: hosts,
})
/** Sets the same on each host named; unknown ones are passed over. */
export const bulkUpdateHosts = endpoint({
  name: 'bulkUpdateHosts',
  title: 'Bulk Update Hosts',
  since: '2.8',
  tag,
  access: 'hosts.write',
  method: 'PATCH',
  path: '/api/hosts/bulk/update',
  body: hostFields.partial().extend({ uuids: selection.shape.uuids }),
  response: hosts,
})
/** Proxies of a host after the steps of its mapper, and steps that cannot be done. Nothing is saved. Own addition. */
export const previewHostMapper = endpoint({
  name: 'previewHostMapper',
  title: 'Preview Host Mapper',
  tag,
  access: 'hosts.read',
  method: 'POST',
  path: '/api/x/hosts/preview-mapper',
  body: createBody,
  response: z.object({
    problems: z.array(
      z.object({
        client: hostMapper.keyof(),
        step: z.number().describe('in the list of its client, counted from 0'),
        field: z.enum(['from', 'to']),
        message: z.string(),
      }),
    ),
    xrayJson: z.unknown().describe('null where a client has no words for the host'),
    mihomo: z.unknown(),
    singbox: z.unknown(),
    base64: z.string().nullable(),
  }),
})
/** A disabled copy with a remark of its own, behind all others. */
export const cloneHost = endpoint({
  name: 'cloneHost',
  creates: true,
  title: 'Clone Host',
  since: '3.4',
  tag,
  access: 'hosts.write',
  method: 'POST',
  path: '/api/hosts/actions/clone',
  body: z.object({ cloneFromUuid: wireUuid }),
  response: host,
  status: 201,
})
