import { permissionsOf, templateType, type TemplateType } from '@causeway/contract'
import type { Line } from '../archive/kinds.ts'
import { Cells } from '../cells.ts'
import type { SourceRow } from '../copy-text.ts'
import type { Findings } from '../findings.ts'
import type { SmallTables } from './fleet.ts'
import { inOrder } from './inbounds.ts'
import { settingsLine } from './subscription-settings.ts'

// Single rows of a source: keys, the administrator, settings; its tokens and templates.

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
    ...inOrder(tables.get('subscription_templates') ?? []).flatMap((row, place) => templateLine(row, place + 1, findings)),
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
  const tokenName = row['token_name'] ?? row['name'] ?? ''
  const cells = new Cells(row, findings, `API token ${tokenName}`)
  const token = cells.text('token')
  const isSigned = secrets.isSigned(token)
  if (!isSigned) findings.note('tokenToRenew', tokenName)
  const scopes = cells.has('scopes') ? cells.list('scopes') : null
  return {
    kind: 'apiToken',
    uuid: cells.text('uuid'),
    tokenName,
    expiresAt: cells.maybeInstant('expire_at'),
    permissions: scopes && permissionsOf(scopes),
    isShownOnce: false,
    generation: scopes && '3.3',
    scopes,
    textHash: isSigned ? secrets.hashOf(token) : null,
    ...times(cells),
  }
}

function templateLine(row: SourceRow, viewPosition: number, findings: Findings): Line[] {
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
      viewPosition,
      tags: cells.list('tags'),
      ...times(cells),
    },
  ]
}

function knownTemplate(text: string): TemplateType | undefined {
  return templateType.safeParse(text).data
}

export function times(cells: Cells) {
  return { createdAt: cells.instant('created_at'), updatedAt: cells.instant('updated_at') }
}
