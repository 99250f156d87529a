import type { Inbound, InternalSquad } from '@causeway/contract'
import { Button, Group, Stack, Tabs, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyField } from '../../ui/copy-field.tsx'
import { DrawerFrame, FrameFooter, useFrameDirty } from '../../ui/frames.tsx'
import { ErrorState, LoadingRows } from '../../ui/states.tsx'
import { useDialog } from '../../ui/use-dialog.ts'
import { useLingering } from '../../ui/use-lingering.ts'
import { InboundPicker } from '../config-profiles/parts/inbound-picker.tsx'
import { InboundFlatList } from './inbound-flat-list.tsx'
import { internalSquad, useUpdateInternalSquad } from './internal-squads.queries.ts'
import { isSameSelection } from './internal-squads.rules.ts'

/** Which inbounds the members of a squad may use. */
export function EditInternalSquadDrawer() {
  const { t } = useTranslation('internal-squads')
  const dialog = useDialog('edit')
  const uuid = useLingering(dialog.value)
  const squad = useQuery({ ...internalSquad(uuid ?? ''), enabled: dialog.value !== undefined })
  return (
    <DrawerFrame isOpen={dialog.value !== undefined} onClose={dialog.close} title={squad.data?.name ?? t('edit')} width={480}>
      {squad.isPending && <LoadingRows />}
      {squad.isError && <ErrorState error={squad.error} onRetry={() => void squad.refetch()} />}
      {squad.data && <InboundsForm key={squad.data.uuid} squad={squad.data} onSaved={dialog.close} />}
    </DrawerFrame>
  )
}

function InboundsForm({ squad, onSaved }: { squad: InternalSquad; onSaved: () => void }) {
  const { t } = useTranslation('internal-squads')
  const [selected, setSelected] = useState<readonly Inbound[]>(squad.inbounds)
  const update = useUpdateInternalSquad()
  useFrameDirty(!update.isSuccess && !isSameSelection(squad.inbounds, selected))

  return (
    <>
      <Stack gap="md" pb="md">
        <Text size="sm" c="dimmed">
          {t('membersCounted', { count: squad.info.membersCount })}
        </Text>
        <CopyField label={t('uuid')} value={squad.uuid} isWhole />
        <Tabs defaultValue="profiles" keepMounted={false}>
          <Tabs.List mb="sm">
            <Tabs.Tab value="profiles">{t('byProfile')}</Tabs.Tab>
            <Tabs.Tab value="flat">{t('flatList')}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="profiles">
            <InboundPicker mode="any" selected={selected} onChange={setSelected} />
          </Tabs.Panel>
          <Tabs.Panel value="flat">
            <InboundFlatList selected={selected} onChange={setSelected} />
          </Tabs.Panel>
        </Tabs>
      </Stack>
      <FrameFooter>
        <Group gap="xs" me="auto">
          <Text size="sm" c="dimmed">
            {t('selected', { count: selected.length })}
          </Text>
          <Button variant="subtle" size="compact-sm" disabled={selected.length === 0} onClick={() => setSelected([])}>
            {t('clear')}
          </Button>
        </Group>
        <Button
          disabled={selected.length === 0}
          loading={update.isPending}
          onClick={() =>
            update.mutate({ uuid: squad.uuid, inbounds: selected.map((inbound) => inbound.uuid) }, { onSuccess: onSaved })
          }
        >
          {t('update')}
        </Button>
      </FrameFooter>
    </>
  )
}
