import type { Inbound } from '@causeway/contract'
import { Badge, Button, Group, Input, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { configProfilesQuery } from '../config-profiles.queries.ts'
import type { PickMode } from '../config-profiles.rules.ts'
import { InboundPickerDrawer } from './inbound-picker-drawer.tsx'

interface Props {
  mode: PickMode
  selected: readonly Inbound[]
  onChange: (selected: readonly Inbound[]) => void
  error?: ReactNode
}

/** Chosen inbounds of config profiles, and the button to change them. */
export function InboundsInput({ mode, selected, onChange, error }: Props) {
  const { t } = useTranslation('config-profiles')
  const [isOpen, setIsOpen] = useState(false)
  const profiles = useQuery(configProfilesQuery())
  const profile = profiles.data?.configProfiles.find(({ uuid }) => uuid === selected[0]?.profileUuid)
  return (
    <>
      <Group justify="space-between" wrap="nowrap" gap="sm">
        {selected.length === 0 ? (
          <Text size="sm" c="dimmed">
            {t('picker.nothingChosen')}
          </Text>
        ) : (
          <Group gap={6}>
            <Text fw={600}>{profile?.name}</Text>
            {selected.map((inbound) => (
              <Badge key={inbound.uuid} variant="default">
                {inbound.tag}
              </Badge>
            ))}
          </Group>
        )}
        <Button variant="default" style={{ flex: 'none' }} onClick={() => setIsOpen(true)}>
          {t(selected.length === 0 ? 'picker.choose' : 'picker.change')}
        </Button>
      </Group>
      {error && <Input.Error mt={4}>{error}</Input.Error>}
      <InboundPickerDrawer isOpen={isOpen} onClose={() => setIsOpen(false)} mode={mode} initial={selected} onApply={onChange} />
    </>
  )
}
