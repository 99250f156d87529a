import { templateType, type TemplateType } from '@causeway/contract'
import type { Line } from '../archive/kinds.ts'
import { Cells } from '../cells.ts'
import type { SourceRow } from '../copy-text.ts'
import type { Findings } from '../findings.ts'
import type { SmallTables } from './fleet.ts'
import { inOrder } from './inbounds.ts'

// What a source has once: keys, the administrator, settings; its tokens and templates.

const PASSWORD_HASH = /^[^:]+:[0-9a-f]{128}$/

/** Secrets of the source's environment, and what is done with them outside of this package. */
export interface SourceSecrets {
  /** Keys the password of the administrator. */
  sessionSecret: string | null
  /** Whether one of the given secrets has signed this text. */
  isSigned(this: void, token: string): boolean
  hashOf(this: void, token: string): string
}

export function translateSettings(tables: SmallTables, secrets: SourceSecrets, findings: Findings): Line[] {
  const oldest = (table: string) => oldestOf(table, tables.get(table) ?? [], findings)
  return [
    ...keysLine(oldest('keygen'), findings),
    ...adminLine(oldest('admin'), secrets, findings),
    ...inOrder(tables.get('api_tokens') ?? []).map((row) => tokenLine(row, secrets, findings)),
    ...settingsLine(oldest('subscription_settings'), findings),
    ...(tables.get('subscription_templates') ?? []).flatMap((row) => templateLine(row, findings)),
  ]
}

function oldestOf(table: string, rows: SourceRow[], findings: Findings): SourceRow | undefined {
  if (rows.length > 1) findings.note('moreThanOne', `${table} has ${rows.length} rows`)
  return inOrder(rows)[0]
}

function keysLine(row: SourceRow | undefined, findings: Findings): Line[] {
  const pem = (column: string) => row?.[column]?.trim() ?? ''
  const keys = {
    caCertPem: pem('ca_cert'),
    caKeyPem: pem('ca_key'),
    clientCertPem: pem('client_cert'),
    clientKeyPem: pem('client_key'),
    jwtPrivateKeyPem: pem('priv_key'),
    jwtPublicKeyPem: pem('pub_key'),
  }
  if (Object.values(keys).every((text) => text.startsWith('-----BEGIN '))) return [{ kind: 'keys', ...keys }]
  findings.note('keysMissing', row ? 'a part of the keys is missing' : 'there are no keys')
  return []
}

function adminLine(row: SourceRow | undefined, { sessionSecret }: SourceSecrets, findings: Findings): Line[] {
  if (!row) return []
  const cells = new Cells(row, findings, `administrator ${row['username']}`)
  const hash = cells.text('password_hash')
  if (sessionSecret === null || !PASSWORD_HASH.test(hash)) {
    const why = sessionSecret === null ? 'the session secret is not given' : 'its password is kept in an unknown form'
    findings.note('adminLeftOut', `${row['username']}: ${why}`)
    return []
  }
  return [
    {
      kind: 'admin',
      uuid: cells.text('uuid'),
      username: cells.text('username'),
      role: 'ADMIN',
      password: { form: 'hmac-scrypt', hash, key: sessionSecret },
      ...times(cells),
    },
  ]
}

function tokenLine(row: SourceRow, secrets: SourceSecrets, findings: Findings): Line {
  const cells = new Cells(row, findings, `API token ${row['token_name']}`)
  const token = cells.text('token')
  const isSigned = secrets.isSigned(token)
  if (!isSigned) findings.note('tokenToRenew', cells.text('token_name'))
  return {
    kind: 'apiToken',
    uuid: cells.text('uuid'),
    tokenName: cells.text('token_name'),
    expiresAt: null,
    permissions: null,
    isShownOnce: false,
    generation: null,
    scopes: null,
    textHash: isSigned ? secrets.hashOf(token) : null,
    ...times(cells),
  }
}

function settingsLine(row: SourceRow | undefined, findings: Findings): Line[] {
  if (!row) return []
  const cells = new Cells(row, findings, 'subscription settings')
  return [
    {
      kind: 'subscriptionSettings',
      uuid: cells.text('uuid'),
      profileTitle: cells.text('profile_title'),
      supportLink: cells.text('support_link'),
      profileUpdateInterval: cells.whole('profile_update_interval', { min: 1 }),
      isProfileWebpageUrlEnabled: cells.flag('is_profile_webpage_url_enabled'),
      serveJsonAtBaseSubscription: cells.flag('serve_json_at_base_subscription'),
      addUsernameToBaseSubscription: cells.flag('add_username_to_base_subscription'),
      isShowCustomRemarks: cells.flag('is_show_custom_remarks'),
      happAnnounce: cells.maybeText('happ_announce'),
      happRouting: cells.maybeText('happ_routing'),
      expiredUsersRemarks: textsAt(cells, 'expired_users_remarks'),
      limitedUsersRemarks: textsAt(cells, 'limited_users_remarks'),
      disabledUsersRemarks: textsAt(cells, 'disabled_users_remarks'),
      customResponseHeaders: headersAt(cells, 'custom_response_headers'),
      randomizeHosts: cells.flag('randomize_hosts'),
      ...times(cells),
    },
  ]
}

function textsAt(cells: Cells, column: string): string[] {
  const value = cells.json(column)
  if (Array.isArray(value) && value.every((text) => typeof text === 'string')) return value
  return cells.replaced(column, JSON.stringify(value), [])
}

function headersAt(cells: Cells, column: string): Record<string, string> | null {
  const value = cells.json(column)
  if (value === null) return null
  const entries = typeof value === 'object' && !Array.isArray(value) ? Object.entries(value) : []
  const texts = entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return texts.length > 0 || entries.length === 0
    ? Object.fromEntries(texts)
    : cells.replaced(column, JSON.stringify(value), null)
}

function templateLine(row: SourceRow, findings: Findings): Line[] {
  const cells = new Cells(row, findings, `template ${row['template_type']}`)
  const type = knownTemplate(cells.text('template_type'))
  if (!type) {
    findings.note('unknownTemplate', cells.text('template_type'))
    return []
  }
  return [
    {
      kind: 'subscriptionTemplate',
      uuid: cells.text('uuid'),
      templateType: type,
      name: cells.maybeText('name') ?? 'Default',
      templateYaml: cells.maybeText('template_yaml'),
      templateJson: cells.json('template_json'),
      ...times(cells),
    },
  ]
}

function knownTemplate(text: string): TemplateType | undefined {
  return templateType.safeParse(text).data
}

function times(cells: Cells) {
  return { createdAt: cells.instant('created_at'), updatedAt: cells.instant('updated_at') }
}
