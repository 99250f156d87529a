import { Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { CountryFlag } from '../../ui/country-flag.tsx'
import { ModalFrame } from '../../ui/frames/frames.tsx'
import { GrowingList } from '../../ui/rows/growing-list.tsx'
import { EmptyState } from '../../ui/frames/states.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { useLingering } from '../../ui/use-lingering.ts'
import { configProfilesQuery } from './config-profiles.queries.ts'
import classes from './config-profiles.module.css'

/** Which nodes run a profile. */
export function ActiveNodesModal() {
  const { t } = useTranslation('config-profiles')
  const dialog = useDialog('nodes')
  const uuid = useLingering(dialog.value)
  const profile = useQuery(configProfilesQuery()).data?.configProfiles.find((candidate) => candidate.uuid === uuid)
  return (
    <ModalFrame
      isOpen={dialog.value !== undefined && profile !== undefined}
      onClose={dialog.close}
      title={t('activeNodesOf', { name: profile?.name })}
      width={420}
    >
      {profile?.nodes.length === 0 && <EmptyState title={t('notActive')} />}
      <GrowingList className={classes['nodes']} label={t('activeNodes')} items={profile?.nodes ?? []}>
        {(node) => (
          <Group component="li" key={node.uuid} gap="xs" wrap="nowrap">
            <CountryFlag code={node.countryCode} />
            <Text truncate dir="auto">
              {node.name}
            </Text>
          </Group>
        )}
      </GrowingList>
    </ModalFrame>
  )
}
