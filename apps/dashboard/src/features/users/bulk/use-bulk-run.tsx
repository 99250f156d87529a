import type { CallInput, getUsersImpact } from '@causeway/contract'
import { Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useConfirm } from '../../../ui/frames/confirm.tsx'
import { useDialog } from '../../../ui/frames/use-dialog.ts'
import { ImpactText } from './impact-text.tsx'

export type BulkRun = ReturnType<typeof useBulkRun>

type Who = CallInput<typeof getUsersImpact>

type BulkCommand = 'update' | 'extend' | 'addTraffic' | 'resetTraffic' | 'revoke' | 'setSquads' | 'remove'

interface Question {
  /** Where the question is not about `these users`, its title names the target. */
  title?: string
  /** Where one command does different things: what this one does, and the word on the button. */
  text?: string
  action?: string
  whom?: Who
  /** Takes the place of the numbers of those concerned. */
  note?: ReactNode
  /** Said below them. */
  more?: ReactNode
}

/** Asks before a bulk action, saying what it will touch; afterwards shows how far its job has come. */
export function useBulkRun(who: Who, onDone: () => void) {
  const { t } = useTranslation('users')
  const confirm = useConfirm()
  const job = useDialog('job')
  return {
    whenAgreed: async (
      command: BulkCommand,
      act: () => void,
      {
        title = t(`bulk.confirm.${command}.title`),
        text = t(`bulk.confirm.${command}.body`),
        action = t(`bulk.confirm.${command}.action`),
        whom = who,
        note,
        more,
      }: Question = {},
    ): Promise<void> => {
      const isAgreed = await confirm({
        title,
        body: (
          <Stack gap="xs">
            <span>{text}</span>
            {note ?? <ImpactText who={whom} />}
            {more}
          </Stack>
        ),
        action,
        isDangerous: command === 'remove' || command === 'revoke',
      })
      if (isAgreed) act()
    },
    finish: (reply: { jobId?: string | undefined }) => {
      onDone()
      if (reply.jobId !== undefined) job.open(reply.jobId)
    },
  }
}
