import { UuidIndex, type ArchivedPassword, type Line, type LineOf } from '@causeway/import'
import { FOREIGN_CONFIG } from '../fleet/connection.rules.ts'
import type { LoadedTable } from './loaded-tables.rules.ts'

// The rows that a line of an archive becomes.

export type Cell = string | number | boolean | null
interface Options {
  put(this: void, table: LoadedTable, row: Cell[]): void
  wrapPassword(this: void, password: ArchivedPassword): string
  newUuid(this: void): string
}
type Named = 'plugin' | 'provider' | 'profile' | 'inbound' | 'squad' | 'node' | 'host'

/** Gives each thing its number and writes the rows of lines. */
export class LoadedRows {
  readonly #put: Options['put']
  readonly #options: Options
  readonly #ids: Record<Named, Map<string, number>> = {
    plugin: new Map(),
    provider: new Map(),
    profile: new Map(),
    inbound: new Map(),
    squad: new Map(),
    node: new Map(),
    host: new Map(),
  }
  readonly #users = new UuidIndex()

  constructor(options: Options) {
    this.#put = options.put
    this.#options = options
  }

  /** Puts the rows of all lines but those that are secrets. @throws Error when it refers to nothing before it */
  add(line: Exclude<Line, { kind: 'keys' | 'oldLinks' }>): void {
    const put = this.#put
    switch (line.kind) {
      case 'admin':
        return put('admins', [line.uuid, line.username, this.#options.wrapPassword(line.password), line.role, ...times(line)])
      case 'apiToken':
        return put('apiTokens', [
          line.uuid,
          line.tokenName,
          line.expiresAt,
          json(line.permissions),
          line.isShownOnce,
          line.generation,
          json(line.scopes),
          line.textHash,
          ...times(line),
        ])
      case 'subscriptionSettings':
        return put('subscriptionSettings', settingsRow(line))
      case 'subscriptionTemplate':
        return put('subscriptionTemplates', [
          line.uuid,
          line.templateType,
          line.name,
          line.name === 'Default',
          line.templateYaml,
          json(line.templateJson),
          ...placeOf(line),
          ...times(line),
        ])
      case 'pageConfig':
        return put('subscriptionPageConfigs', [
          line.uuid,
          line.name,
          JSON.stringify(line.config),
          ...placeOf(line),
          ...times(line),
        ])
      case 'externalSquad':
        return this.#addExternalSquad(line)
      case 'snippet':
        return put('snippets', [line.name, JSON.stringify(line.snippet), line.createdAt, line.createdAt])
      case 'sharedList':
        return put('sharedLists', [line.name, JSON.stringify(line.items), ...times(line)])
      case 'nodePlugin':
        return put('nodePlugins', [
          this.#number('plugin', line.uuid),
          line.uuid,
          line.name,
          json(line.config),
          ...placeOf(line),
          ...times(line),
        ])
      case 'provider':
        return put('infraProviders', [
          this.#number('provider', line.uuid),
          line.uuid,
          line.name,
          line.faviconLink,
          line.loginUrl,
          ...times(line),
        ])
      case 'profile':
        return put('configProfiles', [
          this.#number('profile', line.uuid),
          line.uuid,
          line.name,
          JSON.stringify(line.config),
          ...placeOf(line),
          ...times(line),
        ])
      case 'inbound':
        return this.#addInbound(line)
      case 'squad':
        return this.#addSquad(line)
      case 'node':
        return this.#addNode(line)
      case 'nodeMetadata':
        return put('nodeMetadata', [this.#find('node', line.node), JSON.stringify(line.metadata)])
      case 'nodeTrafficReset':
        return put('nodeTrafficResets', [this.#find('node', line.node), line.trafficBytes, line.resetAt])
      case 'nodeUsage': {
        const { beginsAt, uploadBytes, downloadBytes } = line
        return put('nodeUsageQuarters', [this.#find('node', line.node), beginsAt, uploadBytes, downloadBytes, beginsAt])
      }
      case 'billingNode':
        return put('infraBillingNodes', [
          line.uuid,
          this.#find('node', line.node),
          this.#find('provider', line.provider),
          line.nextBillingAt,
          ...times(line),
        ])
      case 'billingRecord':
        return put('infraBillingRecords', [line.uuid, this.#find('provider', line.provider), line.amount, line.billedAt])
      case 'host':
        return this.#addHost(line)
      case 'user':
        return this.#addUser(line)
      case 'userMetadata':
        return put('userMetadata', [this.#user(line.user), JSON.stringify(line.metadata)])
      case 'member':
        return put('internalSquadMembers', [this.#find('squad', line.squad), this.#user(line.user)])
      case 'device':
        return put('hwidDevices', [
          this.#user(line.user),
          line.hwid,
          line.platform,
          line.osVersion,
          line.deviceModel,
          line.userAgent,
          ...times(line),
        ])
      case 'userTrafficReset':
        return put('userTrafficResets', [this.#user(line.user), line.usedBytes, line.resetAt])
      case 'userUsage':
        return put('userNodeUsage', [
          line.day,
          this.#find('node', line.node),
          this.#user(line.user),
          line.uploadBytes,
          line.downloadBytes,
        ])
      case 'subscriptionRequest':
        return put('subscriptionRequests', [
          this.#user(line.user),
          line.requestIp,
          line.userAgent,
          line.requestAt,
          line.ruleName,
          line.responseType,
        ])
    }
  }

  #addInbound(line: LineOf<'inbound'>): void {
    const { uuid = this.#options.newUuid() } = line
    this.#put('configProfileInbounds', [
      this.#number('inbound', uuid),
      uuid,
      this.#find('profile', line.profile),
      line.tag,
      line.type,
      line.network,
      line.security,
      line.port,
      json(line.rawInbound),
    ])
  }

  #addSquad(line: LineOf<'squad'>): void {
    const id = this.#number('squad', line.uuid)
    this.#put('internalSquads', [id, line.uuid, line.name, ...placeOf(line), ...times(line)])
    for (const inbound of line.inbounds) this.#put('internalSquadInbounds', [id, this.#find('inbound', inbound)])
  }

  #addExternalSquad(line: LineOf<'externalSquad'>): void {
    this.#put('externalSquads', [
      line.uuid,
      line.name,
      json(line.subscriptionSettings),
      json(line.hostOverrides),
      JSON.stringify(line.responseHeadersAdd),
      JSON.stringify(line.responseHeadersRemove),
      json(line.hwidSettings),
      json(line.customRemarks),
      line.pageConfig,
      ...placeOf(line),
      ...times(line),
    ])
    for (const { templateType, template } of line.templates)
      this.#put('externalSquadTemplates', [line.uuid, templateType, template])
  }

  #addNode(line: LineOf<'node'>): void {
    const id = this.#number('node', line.uuid)
    this.#put('nodes', [
      id,
      line.uuid,
      line.name,
      line.address,
      line.port,
      line.isDisabled,
      line.isTrafficTrackingActive,
      line.trafficLimitBytes,
      line.notifyPercent,
      line.trafficResetDay,
      line.countryCode,
      line.consumptionMultiplier,
      this.#findMaybe('profile', line.profile),
      this.#findMaybe('provider', line.provider),
      line.viewPosition,
      this.#findMaybe('plugin', line.plugin),
      JSON.stringify(line.tags),
      line.note,
      JSON.stringify(line.ips),
      ...times(line),
    ])
    for (const inbound of line.inbounds) this.#put('nodeInbounds', [id, this.#find('inbound', inbound)])
    this.#put('nodeStates', [
      id,
      line.trafficUsedBytes,
      line.xrayVersion,
      line.nodeVersion,
      line.cpuCount,
      line.cpuModel,
      line.totalRam,
      line.isRunning ? FOREIGN_CONFIG : null,
    ])
  }

  #addHost(line: LineOf<'host'>): void {
    const id = this.#number('host', line.uuid)
    this.#put('hosts', [
      id,
      line.uuid,
      line.viewPosition,
      line.remark,
      line.address,
      line.port,
      line.path,
      line.sni,
      line.host,
      line.alpn,
      line.fingerprint,
      line.isDisabled,
      line.securityLayer,
      json(line.xHttpExtraParams),
      json(line.muxParams),
      json(line.sockoptParams),
      line.serverDescription,
      JSON.stringify(line.tags),
      line.isHidden,
      line.overrideSniFromAddress,
      line.vlessRouteId,
      line.shuffleHost,
      line.mihomoX25519,
      line.allowInsecure,
      line.keepSniBlank,
      line.xrayJsonTemplate,
      JSON.stringify(line.excludedSquads),
      JSON.stringify(line.excludedTypes),
      json(line.finalMask),
      line.pinnedPeerCertSha256,
      line.verifyPeerCertByName,
      line.mihomoIpVersion,
      JSON.stringify(line.mapper),
      this.#findMaybe('profile', line.profile),
      this.#findMaybe('inbound', line.inbound),
    ])
    for (const node of line.nodes) this.#put('hostNodes', [id, this.#find('node', node)])
  }

  #addUser(line: LineOf<'user'>): void {
    const id = line.id ?? this.#users.size + 1
    if (!this.#users.add(line.uuid, id)) throw new Error(`The user ${line.uuid} stands twice in the archive.`)
    this.#put('users', [
      id,
      line.uuid,
      line.shortUuid,
      line.username,
      line.status,
      line.trafficLimitBytes,
      line.extraTrafficBytes,
      line.trafficLimitStrategy,
      line.expireAt,
      line.description,
      line.tag,
      line.telegramId,
      line.email,
      line.hwidDeviceLimit,
      line.trojanPassword,
      line.vlessUuid,
      line.ssPassword,
      line.subRevokedAt,
      line.externalSquad,
      ...times(line),
    ])
    this.#put('userUsage', [
      id,
      line.usedTrafficBytes,
      line.lifetimeUsedTrafficBytes,
      line.onlineAt,
      line.firstConnectedAt,
      this.#findMaybe('node', line.lastConnectedNode),
      line.lastTrafficResetAt,
      line.lastTriggeredThreshold,
    ])
    if (line.subLastOpenedAt !== null || line.subLastUserAgent !== null)
      this.#put('userAccesses', [id, line.subLastOpenedAt, line.subLastUserAgent])
  }

  #number(kind: Named, uuid: string): number {
    const ids = this.#ids[kind]
    if (ids.has(uuid)) throw new Error(`The ${kind} ${uuid} stands twice in the archive.`)
    ids.set(uuid, ids.size + 1)
    return ids.size
  }

  #find(kind: Named, uuid: string): number {
    const id = this.#ids[kind].get(uuid)
    if (id === undefined) throw new Error(`The ${kind} ${uuid} is named by a line of the archive, and stands nowhere before it.`)
    return id
  }

  #findMaybe(kind: Named, uuid: string | null): number | null {
    return uuid === null ? null : this.#find(kind, uuid)
  }

  #user(uuid: string): number {
    const id = this.#users.get(uuid)
    if (id === undefined) throw new Error(`The user ${uuid} is named by a line of the archive, and stands nowhere before it.`)
    return id
  }
}

function settingsRow(line: LineOf<'subscriptionSettings'>): Cell[] {
  return [
    line.uuid,
    line.profileTitle,
    line.supportLink,
    line.profileUpdateInterval,
    line.isProfileWebpageUrlEnabled,
    line.serveJsonAtBaseSubscription,
    line.addUsernameToBaseSubscription,
    line.isShowCustomRemarks,
    line.happAnnounce,
    line.happRouting,
    json(line.expiredUsersRemarks),
    json(line.limitedUsersRemarks),
    json(line.disabledUsersRemarks),
    json(line.customResponseHeaders),
    line.randomizeHosts,
    json(line.responseRules),
    ...[line.emptyHostsRemarks, line.emptySquadsRemarks, line.hwidExceededRemarks, line.hwidMissingRemarks].map(json),
    json(line.hwidSettings),
    ...times(line),
  ]
}

function placeOf({ viewPosition, tags }: { viewPosition: number; tags: string[] }): [number, string] {
  return [viewPosition, JSON.stringify(tags)]
}

function times({ createdAt, updatedAt }: { createdAt: string; updatedAt: string }): [string, string] {
  return [createdAt, updatedAt]
}

function json(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value)
}

/** A row in the text form of COPY. */
export function copyText(row: readonly Cell[]): string {
  return `${row.map(cellText).join('\t')}\n`
}

const ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

function cellText(cell: Cell): string {
  if (cell === null) return '\\N'
  if (typeof cell !== 'string') return String(cell)
  return /[\\\t\n\r]/.test(cell) ? cell.replaceAll(/[\\\t\n\r]/g, (character) => ESCAPES[character] ?? '') : cell
}
