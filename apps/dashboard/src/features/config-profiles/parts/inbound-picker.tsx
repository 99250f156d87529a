import type { ConfigProfile, Inbound } from '@causeway/contract'
import { Accordion, Anchor, Checkbox, Group, Radio, ScrollArea, Stack, Text } from '@mantine/core'
import { IconFileCode } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SearchField } from '../../../ui/inputs/search-field.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../../../ui/frames/states.tsx'
import { configProfilesQuery } from '../config-profiles.queries.ts'
import { type PickMode, searchProfiles, toggleInbound, toggleProfile } from '../config-profiles.rules.ts'
import classes from './inbound-picker.module.css'

const ROW_HEIGHT = 48
const MOST_ROWS = 6

interface Props {
  mode: PickMode
  selected: readonly Inbound[]
  onChange: (selected: readonly Inbound[]) => void
  /** Where only one may be chosen: the handler of the wish for all of a profile. Without it that option is missing. */
  onRefuseAll?: () => void
}

/** All config profiles with their inbounds, to choose from. */
export function InboundPicker({ mode, selected, onChange, onRefuseAll }: Props) {
  const { t } = useTranslation('config-profiles')
  const [text, setText] = useState('')
  const profiles = useQuery(configProfilesQuery())
  if (profiles.isError) return <ErrorState error={profiles.error} onRetry={() => void profiles.refetch()} />
  const all = profiles.data?.configProfiles ?? []
  const found = searchProfiles(all, text)
  return (
    <Stack gap="sm" className={classes['picker']!}>
      <SearchField label={t('picker.search')} onSearch={setText} />
      {profiles.isPending && <LoadingRows count={4} height={ROW_HEIGHT} />}
      {profiles.data && found.length === 0 && <EmptyState title={t('picker.nothingFound')} icon={IconFileCode} />}
      <Accordion multiple variant="default" chevronPosition="left" defaultValue={selected.map(({ profileUuid }) => profileUuid)}>
        {found.map((profile) => (
          <ProfileInbounds
            key={profile.uuid}
            profile={profile}
            total={all.find(({ uuid }) => uuid === profile.uuid)?.inbounds.length ?? 0}
            mode={mode}
            selected={selected}
            onChange={onChange}
            {...(onRefuseAll && { onRefuseAll })}
          />
        ))}
      </Accordion>
    </Stack>
  )
}

/** A profile as far as the search shows it; `total` is how many inbounds it has. */
function ProfileInbounds({
  profile,
  total,
  mode,
  selected,
  onChange,
  onRefuseAll,
}: Props & { profile: ConfigProfile; total: number }) {
  const { t } = useTranslation('config-profiles')
  const chosen = selected.filter(({ profileUuid }) => profileUuid === profile.uuid).length
  const isWhole = profile.inbounds.length > 0 && profile.inbounds.every((one) => selected.some(({ uuid }) => uuid === one.uuid))
  const onAll = mode === 'single' ? onRefuseAll : () => onChange(toggleProfile(mode, selected, profile, !isWhole))
  return (
    <Accordion.Item value={profile.uuid}>
      <Accordion.Control>
        <Group justify="space-between" wrap="nowrap" pe="xs">
          <Text fw={600} truncate dir="auto">
            {profile.name}
          </Text>
          <Text size="xs" c={chosen > 0 ? 'var(--accent)' : 'dimmed'} style={{ whiteSpace: 'nowrap' }}>
            {t('picker.chosen', { chosen, count: total })}
          </Text>
        </Group>
      </Accordion.Control>
      <Accordion.Panel>
        {onAll && profile.inbounds.length > 1 && (
          <Anchor component="button" type="button" size="xs" mb="xs" data-tap onClick={onAll}>
            {t(isWhole ? 'picker.unselectAll' : 'picker.selectAll')}
          </Anchor>
        )}
        {profile.inbounds.length === 0 && (
          <Text size="sm" c="dimmed">
            {t('picker.noInbounds')}
          </Text>
        )}
        <ScrollArea.Autosize mah={ROW_HEIGHT * MOST_ROWS} type="auto">
          <div className={classes['grid']}>
            {profile.inbounds.map((inbound) => (
              <InboundRow
                key={inbound.uuid}
                inbound={inbound}
                mode={mode}
                isChosen={selected.some(({ uuid }) => uuid === inbound.uuid)}
                onToggle={() => onChange(toggleInbound(mode, selected, inbound))}
              />
            ))}
          </div>
        </ScrollArea.Autosize>
      </Accordion.Panel>
    </Accordion.Item>
  )
}

interface RowProps {
  inbound: Inbound
  mode: PickMode
  isChosen: boolean
  onToggle: () => void
  /** Where the list does not say it by its grouping. */
  profileName?: string
}

export function InboundRow({ inbound, mode, isChosen, onToggle, profileName }: RowProps) {
  const Box = mode === 'single' ? Radio : Checkbox
  const facts = [profileName ?? null, inbound.type, inbound.network, inbound.security, inbound.port].filter(
    (fact) => fact !== null && fact !== '',
  )
  return (
    <Box
      checked={isChosen}
      onChange={onToggle}
      classNames={{ root: classes['row']!, body: classes['body']!, labelWrapper: classes['words']!, label: classes['label']! }}
      label={
        <>
          <span className={classes['tag']} dir="auto">
            {inbound.tag}
          </span>
          <span className={classes['facts']}>{facts.join(' · ')}</span>
        </>
      }
    />
  )
}
