import { excludedType, mihomoIpVersion } from '@causeway/contract'
import { MultiSelect, Select } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { internalSquadsQuery } from '../../internal-squads/internal-squads.queries.ts'
import type { HostForm } from '../host-form.ts'
import { jsonTemplatesQuery } from '../hosts.queries.ts'

/** Label, value and handlers. */
type Field = ReturnType<UseFormReturnType<HostForm>['getInputProps']> & { label: string }

/** Names of the formats, as their own projects write them. */
const FORMATS = {
  XRAY_JSON: 'Xray JSON',
  XRAY_BASE64: 'Base64',
  MIHOMO: 'Mihomo',
  STASH: 'Stash',
  CLASH: 'Clash',
  SINGBOX: 'sing-box',
} as const

/** Formats in whose subscriptions the host does not stand. */
export function ExcludedTypesInput(field: Field) {
  const { t } = useTranslation('hosts')
  const data = excludedType.options.map((value) => ({ value, label: FORMATS[value] }))
  return (
    <MultiSelect description={t('additions.excludedTypesHint')} data={data} clearable {...field} value={textsOf(field.value)} />
  )
}

/** Squads that do not count for the host. */
export function ExcludedSquadsInput(field: Field) {
  const { t } = useTranslation('hosts')
  const squads = useQuery(internalSquadsQuery()).data?.internalSquads
  const chosen = textsOf(field.value)
  return (
    <MultiSelect
      description={t('additions.excludedSquadsHint')}
      data={(squads ?? []).map(({ uuid, name }) => ({ value: uuid, label: name }))}
      searchable
      clearable
      {...field}
      value={squads ? chosen : []}
      disabled={squads === undefined}
    />
  )
}

/** A template of its own in place of the default one. */
export function JsonTemplateInput(field: Field) {
  const { t } = useTranslation('hosts')
  const templates = useQuery(jsonTemplatesQuery()).data?.templates ?? []
  const data = templates
    .filter(({ templateType }) => templateType === 'XRAY_JSON')
    .map(({ uuid, name }) => ({ value: uuid, label: name ?? uuid }))
  const value = textOf(field.value)
  const isKnown = value === null || data.some((template) => template.value === value)
  return (
    <Select
      description={t('additions.jsonTemplateHint')}
      placeholder={t('additions.jsonTemplateNone')}
      data={isKnown || value === null ? data : [...data, { value, label: t('additions.jsonTemplateGone') }]}
      clearable
      {...field}
      value={value}
    />
  )
}

export function IpVersionInput(field: Field) {
  const { t } = useTranslation('hosts')
  const value = textOf(field.value)
  return (
    <Select
      description={t('additions.ipVersionHint')}
      placeholder={t('additions.ipVersionNone')}
      data={mihomoIpVersion.options.map((option) => ({ value: option, label: t(`additions.ipVersion.${option}`) }))}
      clearable
      {...field}
      value={value}
    />
  )
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}
