import type { Reply, searchAll } from '@causeway/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useConfirm } from '../../../ui/frames/confirm.tsx'
import { CountryFlag } from '../../../ui/country-flag.tsx'
import { StatusDot } from '../../../ui/status-badge.tsx'
import { tokenDetailsQuery } from '../../api-tokens/api-tokens.queries.ts'
import { Planned } from '../../config-profiles/parts/planned.tsx'
import { useBulkHosts } from '../../hosts/hosts.queries.ts'
import { providersQuery } from '../../infra-billing/infra-billing.queries.ts'
import { nodesQuery, useDisableNode, useEnableNode, useRestartNode } from '../../nodes/nodes.queries.ts'
import { useUserActions } from '../../users/users.queries.ts'
import { statusColor } from '../../users/users.rules.ts'
import { searchQuery } from '../search.queries.ts'
import { filterEntries, type Entry, type EntryGroup } from '../search.rules.ts'

export interface FoundEntry extends Entry {
  note?: string | undefined
  sign?: ReactNode
  /** It is a page: the keyboard goes on in it, and not where the search was opened. */
  isPage?: boolean
  onPick: () => void
}

type Verb = 'enable' | 'disable' | 'restart'
type Found = Reply<typeof searchAll>
const NOTHING: Found = { users: [], nodes: [], hosts: [], internalSquads: [], externalSquads: [], configProfiles: [] }

/** Users and things of a text. Until the answer to it is there, what was found before and fits it still. */
export function useFound(text: string, typed: string): EntryGroup<FoundEntry>[] {
  const { t } = useTranslation('search')
  const router = useRouter()
  const { data } = useQuery(searchQuery(text))
  const found = text === '' || data === undefined ? NOTHING : data
  const go = useGo()
  const few = useFew(typed)
  const fits = ({ label, note }: FoundEntry) => `${label} ${note ?? ''}`.toLowerCase().includes(typed.toLowerCase())
  const groups = [
    {
      name: t('group.users'),
      entries: found.users.map(({ uuid, username, status, match, value }): FoundEntry => ({
        id: `user ${uuid}`,
        label: username,
        note: match === 'username' ? undefined : value,
        sign: <StatusDot color={statusColor(status)} />,
        onPick: go('/dashboard/management/users', { user: uuid }),
      })),
    },
    {
      name: t('group.nodes'),
      entries: found.nodes.map(({ uuid, name, address, countryCode }): FoundEntry => ({
        id: `node ${uuid}`,
        label: name,
        note: address,
        sign: <CountryFlag code={countryCode} />,
        onPick: go('/dashboard/management/nodes', { edit: uuid }),
      })),
    },
    {
      name: t('group.hosts'),
      entries: found.hosts.map(({ uuid, remark, address }): FoundEntry => ({
        id: `host ${uuid}`,
        label: remark,
        note: address,
        onPick: go('/dashboard/management/hosts', { edit: uuid }),
      })),
    },
    {
      name: t('group.squads'),
      entries: found.internalSquads.map(({ uuid, name }): FoundEntry => ({
        id: `squad ${uuid}`,
        label: name,
        onPick: go('/dashboard/management/internal-squads', { edit: uuid }),
      })),
    },
    {
      name: t('group.externalSquads'),
      entries: found.externalSquads.map(({ uuid, name }): FoundEntry => ({
        id: `external squad ${uuid}`,
        label: name,
        onPick: go('/dashboard/management/external-squads', { edit: uuid }),
      })),
    },
    {
      name: t('group.profiles'),
      entries: found.configProfiles.map(({ uuid, name }): FoundEntry => ({
        id: `profile ${uuid}`,
        label: name,
        onPick: () => void router.navigate({ to: '/dashboard/management/config-profiles/$uuid', params: { uuid } }),
      })),
    },
  ]
  if (text === typed) return [...groups, ...few]
  return [...groups.map(({ name, entries }) => ({ name, entries: entries.filter(fits) })), ...few]
}

/** Opens a page at what was found in it. */
function useGo() {
  const router = useRouter()
  return (to: LinkProps['to'], search: Record<string, string>) => () => void router.navigate({ to: to!, search })
}

/** Providers and tokens are few. Their lists, visible only to permitted readers, are searched as a whole. */
function useFew(typed: string): EntryGroup<FoundEntry>[] {
  const { t } = useTranslation('search')
  const go = useGo()
  const isAsked = typed !== ''
  const { data: billed } = useQuery({ ...providersQuery(), enabled: isAsked })
  const { data: known } = useQuery({ ...tokenDetailsQuery(), enabled: isAsked })
  if (!isAsked) return []
  const providers = (billed?.providers ?? []).map(({ uuid, name }): FoundEntry => ({
    id: `provider ${uuid}`,
    label: name,
    onPick: go('/dashboard/crm/infra-billing', { provider: uuid }),
  }))
  const tokens = (known?.tokens ?? []).map(({ uuid, tokenName }): FoundEntry => ({
    id: `token ${uuid}`,
    label: tokenName,
    onPick: go('/dashboard/management/api-tokens', { edit: uuid }),
  }))
  return [
    { name: t('group.providers'), entries: filterEntries(providers, typed) },
    { name: t('group.tokens'), entries: filterEntries(tokens, typed) },
  ]
}

/** Actions on results: "disable Warsaw". */
export function useVerbs(text: string, verb: Verb | undefined): FoundEntry[] {
  const { t } = useTranslation('search')
  const { t: nodes } = useTranslation('nodes')
  const { t: users } = useTranslation('users')
  const client = useQueryClient()
  const confirm = useConfirm()
  const node = { enable: useEnableNode(), disable: useDisableNode(), restart: useRestartNode() }
  const user = useUserActions()
  const host = useBulkHosts()
  const { data, isPlaceholderData } = useQuery(searchQuery(text))
  if (text === '' || verb === undefined || data === undefined || isPlaceholderData) return []

  async function runNode(uuid: string, name: string, what: Verb): Promise<void> {
    if (what === 'enable') return node.enable.mutate({ uuid })
    const fleet = await client.ensureQueryData(nodesQuery(false))
    const online = nodes('usersOnline', { count: fleet.find((one) => one.uuid === uuid)?.usersOnline ?? 0 })
    const body = nodes(`${what}.body`, { online })
    const question = {
      title: nodes(`${what}.title`, { name }),
      body: what === 'disable' ? <Planned change={{ saveNode: { uuid, isDisabled: true } }}>{body}</Planned> : body,
      action: nodes(`${what}.action`),
    }
    if (await confirm(question)) node[what].mutate({ uuid })
  }
  async function runUser(uuid: string, name: string, what: 'enable' | 'disable'): Promise<void> {
    if (what === 'enable') return user.enable.mutate({ uuid })
    const question = {
      title: users('confirm.disable.title', { name }),
      body: users('confirm.disable.body'),
      action: users('confirm.disable.action'),
      isDangerous: true,
    }
    if (await confirm(question)) user.disable.mutate({ uuid })
  }
  async function runHost(uuid: string, name: string, what: 'enable' | 'disable'): Promise<void> {
    const body = <Planned change={{ saveHost: { uuid, isDisabled: true } }}>{t('disableHost.body')}</Planned>
    const question = { title: t('disableHost.title', { name }), body, action: t('disableHost.action') }
    if (what === 'enable' || (await confirm(question))) host[what].mutate({ uuids: [uuid] })
  }
  const label = (name: string) => t(`do.${verb}`, { name })
  const nodesMeant = data.nodes.filter(({ isDisabled }) => isDisabled === (verb === 'enable'))
  const actions: FoundEntry[] = nodesMeant.map(({ uuid, name, address, countryCode }) => ({
    id: `${verb} node ${uuid}`,
    label: label(name),
    note: address,
    sign: <CountryFlag code={countryCode} />,
    onPick: () => void runNode(uuid, name, verb),
  }))
  if (verb === 'restart') return actions
  const hostsMeant = data.hosts.filter(({ isDisabled }) => isDisabled === (verb === 'enable'))
  const usersMeant = data.users.filter(({ status }) => (status === 'DISABLED') === (verb === 'enable'))
  return [
    ...actions,
    ...hostsMeant.map(({ uuid, remark, address }) => ({
      id: `${verb} host ${uuid}`,
      label: label(remark),
      note: address,
      onPick: () => void runHost(uuid, remark, verb),
    })),
    ...usersMeant.map(({ uuid, username, status }) => ({
      id: `${verb} user ${uuid}`,
      label: label(username),
      sign: <StatusDot color={statusColor(status)} />,
      onPick: () => void runUser(uuid, username, verb),
    })),
  ]
}
