import type { User } from '@causeway/contract'
import { Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { useConfirm } from '../../ui/frames/confirm.tsx'
import { ImpactText } from './bulk/impact-text.tsx'
import { useUserActions } from './users.queries.ts'
import { statusAction } from './users.rules.ts'

/** Actions on one user. Those that cut a user off or cannot be undone ask first. */
export function useUserCommands(user: User, onDeleted: () => void) {
  const { t } = useTranslation('users')
  const confirm = useConfirm()
  const actions = useUserActions()
  const handover = useDialog('handover')
  const input = { uuid: user.uuid }

  function ask(command: 'disable' | 'resetTraffic' | 'revoke' | 'remove') {
    return confirm({
      title: t(`confirm.${command}.title`, { name: user.username }),
      body: (
        <Stack gap="xs">
          <span>{t(`confirm.${command}.body`)}</span>
          <ImpactText who={{ uuids: [user.uuid] }} />
        </Stack>
      ),
      action: t(`confirm.${command}.action`),
      isDangerous: command !== 'resetTraffic',
    })
  }
  return {
    isBusy: Object.values(actions).some(({ isPending }) => isPending),
    toggle: async () => {
      if (statusAction(user.status) === 'enable') actions.enable.mutate(input)
      else if (await ask('disable')) actions.disable.mutate(input)
    },
    resetTraffic: async () => {
      if (await ask('resetTraffic')) actions.resetTraffic.mutate(input)
    },
    revoke: async () => {
      if (await ask('revoke')) actions.revoke.mutate(input, { onSuccess: ({ uuid }) => handover.open(uuid) })
    },
    remove: async () => {
      if (await ask('remove')) actions.remove.mutate(input, { onSuccess: onDeleted })
    },
  }
}
