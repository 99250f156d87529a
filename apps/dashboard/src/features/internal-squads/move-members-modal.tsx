import type { InternalSquad } from '@causeway/contract'
import { Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FormFooter, ModalFrame } from '../../ui/frames/frames.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { useMoveMembers } from './internal-squads.queries.ts'

/** Moves every member of a squad to another one. */
export function MoveMembersModal({ squads }: { squads: readonly InternalSquad[] }) {
  const { t } = useTranslation('internal-squads')
  const dialog = useDialog('move')
  const squad = squads.find(({ uuid }) => uuid === dialog.value)
  return (
    <ModalFrame isOpen={squad !== undefined} onClose={dialog.close} title={t('move.title', { name: squad?.name })} width={440}>
      {squad && <MoveForm key={squad.uuid} squad={squad} others={squads.filter((one) => one !== squad)} onDone={dialog.close} />}
    </ModalFrame>
  )
}

interface FormProps {
  squad: InternalSquad
  others: InternalSquad[]
  onDone: () => void
}

function MoveForm({ squad, others, onDone }: FormProps) {
  const { t } = useTranslation('internal-squads')
  const [target, setTarget] = useState<string | null>(null)
  const move = useMoveMembers()
  const count = squad.info.membersCount
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (target === null) return
        move.mutate(
          {
            filters: [{ id: 'activeInternalSquads', value: squad.uuid }],
            expected: count,
            change: { kind: 'squads', mode: 'move', from: squad.uuid, squads: [target] },
          },
          { onSuccess: onDone },
        )
      }}
    >
      <Stack gap="sm" pb="md">
        <Text size="sm">{t('move.text', { members: t('membersCounted', { count }) })}</Text>
        <Select
          label={t('move.to')}
          data={others.map(({ uuid, name }) => ({ value: uuid, label: name }))}
          value={target}
          onChange={setTarget}
          searchable
          required
          data-autofocus
        />
      </Stack>
      <FormFooter action={t('move.action', { count })} isBusy={move.isPending} isDisabled={target === null} />
    </form>
  )
}
