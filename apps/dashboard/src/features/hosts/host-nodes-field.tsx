import { Group, MultiSelect, Pill, Text } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { FlagNameCell } from '../../ui/rows/cells.tsx'
import { CountryFlag } from '../../ui/country-flag.tsx'
import { nodesQuery } from '../nodes/nodes.queries.ts'
import type { HostForm } from './host-form.ts'
import { nodesWithoutInbound } from './hosts.rules.ts'

/** Which nodes are meant to serve the host, with a word when one of them cannot. */
export function HostNodesField({ form }: { form: UseFormReturnType<HostForm> }) {
  const { t, i18n } = useTranslation('hosts')
  const nodes = useQuery(nodesQuery(false)).data
  const { nodes: chosen, inbound } = form.values
  const without = nodesWithoutInbound(chosen, inbound, nodes ?? [])
  const names = new Intl.ListFormat(i18n.language).format(without.map(({ name }) => name))
  // A node that was deleted stays to be seen and taken out.
  const gone = nodes ? chosen.filter((uuid) => nodes.every((node) => node.uuid !== uuid)) : []
  const byUuid = new Map(nodes?.map((node) => [node.uuid, node]))
  return (
    <>
      <MultiSelect
        label={t('field.nodes')}
        description={t('field.nodesHint')}
        placeholder={chosen.length === 0 ? t('field.nodesNone') : ''}
        searchable
        clearable
        data={[
          ...(nodes ?? []).map(({ uuid, name }) => ({ value: uuid, label: name })),
          ...gone.map((uuid) => ({ value: uuid, label: t('field.nodeGone') })),
        ]}
        renderPill={({ option, onRemove }) => (
          <Pill withRemoveButton={onRemove !== undefined} onRemove={() => onRemove?.()}>
            <CountryFlag code={byUuid.get(String(option.value))?.countryCode ?? 'XX'} /> {option.label}
          </Pill>
        )}
        renderOption={({ option }) => (
          <FlagNameCell countryCode={byUuid.get(option.value)?.countryCode ?? 'XX'} name={option.label} />
        )}
        {...form.getInputProps('nodes')}
        // Until their names are known the nodes would be shown as uuids.
        {...(nodes ? {} : { value: [], disabled: true })}
      />
      {inbound !== null && without.length > 0 && (
        <Group gap={6} mt={6} wrap="nowrap" align="flex-start" role="status" c="var(--warn)">
          <IconAlertTriangle size={16} aria-hidden style={{ flexShrink: 0, marginTop: 2 }} />
          <Text size="sm">{t('field.nodesWithout', { count: without.length, names, inbound: inbound.tag })}</Text>
        </Group>
      )}
    </>
  )
}
