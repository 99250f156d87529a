import { updateInternalSquad, type Inbound, type InternalSquad } from '@causeway/contract'
import { Button, Group, Stack, Tabs, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { EditFrame, EditOpen } from '../../../api/edit-frame.tsx'
import { useEditForm, type Opened } from '../../../api/use-edit-form.ts'
import { CopyField } from '../../../ui/inputs/copy-field.tsx'
import { DrawerFrame } from '../../../ui/frames/frames.tsx'
import { useDialog } from '../../../ui/frames/use-dialog.ts'
import { useLingering } from '../../../ui/use-lingering.ts'
import { InboundPicker } from '../../config-profiles/parts/inbound-picker.tsx'
import { usePlanned } from '../../config-profiles/parts/planned.tsx'
import type { SQUAD_DIALOG } from '../internal-squads.rules.ts'
import { InboundFlatList } from './inbound-flat-list.tsx'
import { squadForm, uuidsOf, type SquadForm } from '../squad-form.ts'
import { internalSquadQuery, useUpdateInternalSquad } from '../internal-squads.queries.ts'

/** Which inbounds the members of a squad may use. */
export function EditInternalSquadDrawer({ name: key }: { name: 'edit' | typeof SQUAD_DIALOG }) {
  const { t } = useTranslation('internal-squads')
  const dialog = useDialog(key)
  const uuid = useLingering(dialog.value)
  const name = useQuery({ ...internalSquadQuery(uuid ?? ''), enabled: false }).data?.name
  return (
    <DrawerFrame isOpen={dialog.value !== undefined} onClose={dialog.close} title={name ?? t('edit')} width={480}>
      {uuid !== undefined && (
        <EditOpen key={uuid} read={internalSquadQuery(uuid)} onLeave={dialog.close}>
          {(opened) => <InboundsForm opened={opened} onSaved={dialog.close} />}
        </EditOpen>
      )}
    </DrawerFrame>
  )
}

function InboundsForm({ opened, onSaved }: { opened: Opened<InternalSquad>; onSaved: () => void }) {
  const { t } = useTranslation('internal-squads')
  const edit = useEditForm<InternalSquad, SquadForm>({
    opened,
    toForm: squadForm.fromEntity,
    fields: squadForm.editFields(t),
  })
  const update = useUpdateInternalSquad()
  const { saving } = usePlanned()
  const squad = opened.entity
  const { uuid } = squad
  const selected = edit.form.values.inbounds
  const select = (inbounds: readonly Inbound[]) => edit.form.setValues({ inbounds })

  return (
    <EditFrame
      writes={updateInternalSquad}
      edit={edit}
      onSave={saving(
        ({ values }) => ({ saveSquad: { uuid, inbounds: uuidsOf(values) } }),
        ({ values, changed }) => update.mutateAsync({ uuid, ...squadForm.toWire(values, changed) }),
      )}
      onSaved={onSaved}
      action={t('update')}
      isDisabled={selected.length === 0}
      others={
        <Group gap="xs">
          <Text size="sm" c="dimmed">
            {t('selected', { count: selected.length })}
          </Text>
          <Button variant="subtle" size="compact-sm" disabled={selected.length === 0} onClick={() => select([])}>
            {t('clear')}
          </Button>
        </Group>
      }
    >
      <Stack gap="md" pb="md">
        <Text size="sm" c="dimmed">
          {t('membersCounted', { count: squad.info.membersCount })}
        </Text>
        <CopyField label={t('uuid')} value={uuid} isWhole />
        <Tabs defaultValue="profiles" keepMounted={false}>
          <Tabs.List mb="sm">
            <Tabs.Tab value="profiles">{t('byProfile')}</Tabs.Tab>
            <Tabs.Tab value="flat">{t('flatList')}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="profiles">
            <InboundPicker mode="any" selected={selected} onChange={select} />
          </Tabs.Panel>
          <Tabs.Panel value="flat">
            <InboundFlatList selected={selected} onChange={select} />
          </Tabs.Panel>
        </Tabs>
      </Stack>
    </EditFrame>
  )
}
