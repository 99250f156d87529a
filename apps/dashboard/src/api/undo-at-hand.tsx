import { undoEntry } from '@causeway/contract'
import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { QueryClient } from '@tanstack/react-query'
import i18n from 'i18next'
import { CallError } from './call-error.ts'
import { call } from './call.ts'
import { closableOptions, showFailure, showSuccess, type Done } from './toasts.ts'

const OFFERED_MS = 15_000

/** What the newest message offers to undo. */
let offered: { toast: string; undo: () => void } | undefined

/** A success that can be taken back for fifteen seconds, by its button or by mod+Z. */
export function showUndoable(done: Done, entryId: number, client: QueryClient): void {
  const toast = `undo:${entryId}`
  const undo = () => {
    withdraw(toast)
    void undoNow(entryId, client, () => showUndoable(done, entryId, client))
  }
  if (offered) withdraw(offered.toast)
  offered = { toast, undo }
  notifications.show({
    ...closableOptions(),
    id: toast,
    color: 'teal',
    autoClose: OFFERED_MS,
    onClose: () => {
      if (offered?.toast === toast) offered = undefined
    },
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">
          {done.message}
          {done.result !== undefined && (
            <Text span display="block" c="dimmed">
              {done.result}
            </Text>
          )}
        </Text>
        <Button size="xs" variant="default" onClick={undo}>
          {i18n.t('api:undo.button')}
        </Button>
      </Group>
    ),
  })
}

/** Undoes what the newest message offers; says whether there was one. */
export function undoOffered(): boolean {
  if (!offered) return false
  offered.undo()
  return true
}

function withdraw(toast: string): void {
  if (offered?.toast === toast) offered = undefined
  notifications.hide(toast)
}

async function undoNow(id: number, client: QueryClient, offerAgain: () => void): Promise<void> {
  try {
    const { jobId } = await call(undoEntry, { id })
    showSuccess(i18n.t(jobId === null ? 'api:undo.done' : 'api:undo.begun'))
  } catch (error) {
    showFailure(undoEntry, error)
    // Without an answer nothing is known to be undone.
    if (error instanceof CallError && error.isUnanswered) offerAgain()
  }
  await client.invalidateQueries()
}
