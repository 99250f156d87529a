import type { ExternalSquad } from '@causeway/contract'
import { SegmentedControl, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DrawerFrame } from '../../ui/frames/frames.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { useLingering } from '../../ui/use-lingering.ts'
import { SubscriptionPreview } from '../subscription-preview/parts/subscription-preview.tsx'
import type { Preview } from '../subscription-preview/subscription-preview.rules.ts'

/** What a member gets, and what the same user would get without the squad: what differs is marked. */
export function PreviewSquadDrawer({ squads }: { squads: readonly ExternalSquad[] }) {
  const { t } = useTranslation('external-squads')
  const dialog = useDialog('preview')
  const squad = useLingering(squads.find(({ uuid }) => uuid === dialog.value))
  return (
    <DrawerFrame
      isOpen={squad !== undefined && dialog.value !== undefined}
      onClose={dialog.close}
      title={t('previewTitle', { name: squad?.name })}
      width={720}
    >
      {squad && <Compared key={squad.uuid} squad={squad} />}
    </DrawerFrame>
  )
}

const SIDES = ['with', 'without'] as const

function Compared({ squad }: { squad: ExternalSquad }) {
  const { t } = useTranslation('external-squads')
  const [side, setSide] = useState<(typeof SIDES)[number]>('with')
  const [seen, setSeen] = useState<Partial<Record<(typeof SIDES)[number], Preview>>>({})
  const [drafts] = useState({ with: { externalSquadUuid: squad.uuid }, without: { externalSquadUuid: null } })
  const [keep] = useState(() => ({
    with: (preview: Preview) => setSeen((old) => ({ ...old, with: preview })),
    without: (preview: Preview) => setSeen((old) => ({ ...old, without: preview })),
  }))
  return (
    <Stack gap="sm" pb="md">
      <Text size="sm" c="dimmed">
        {t('previewHint')}
      </Text>
      <SegmentedControl
        fullWidth
        aria-label={t('side.label')}
        data={SIDES.map((value) => ({ value, label: t(`side.${value}`) }))}
        value={side}
        onChange={setSide}
      />
      <SubscriptionPreview draft={drafts[side]} other={seen[side === 'with' ? 'without' : 'with']} onRead={keep[side]} />
    </Stack>
  )
}
