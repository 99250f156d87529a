import { Button, Group, Text } from '@mantine/core'
import { useModals } from '@mantine/modals'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

export interface Question {
  /** Names the object: 'Delete node Frankfurt 1?' */
  title: string
  /** The consequences. */
  body: ReactNode
  /** The word on the button: what happens, never 'OK'. */
  action: string
  /** The word for not doing it, where `Cancel` could be taken for the action. */
  wayBack?: string
  isDangerous?: boolean
}

/** Asks before something that cannot be undone or that touches the fleet. Resolves to the answer. */
export function useConfirm(): (question: Question) => Promise<boolean> {
  const modals = useModals()
  const { t } = useTranslation('ui')

  return (question) =>
    new Promise((resolve) => {
      let isAgreed = false
      const id = modals.openModal({
        title: question.title,
        size: 420,
        zIndex: 400,
        closeButtonProps: { 'aria-label': t('close') },
        onClose: () => resolve(isAgreed),
        children: (
          <>
            <Text size="sm" component="div">
              {question.body}
            </Text>
            <Group justify="flex-end" gap="xs" mt="lg">
              <Button variant="default" onClick={() => modals.closeModal(id)} data-autofocus>
                {question.wayBack ?? t('cancel')}
              </Button>
              <Button
                color={question.isDangerous ? 'red.7' : 'cyan'}
                onClick={() => {
                  isAgreed = true
                  modals.closeModal(id)
                }}
              >
                {question.action}
              </Button>
            </Group>
          </>
        ),
      })
    })
}

/** The question before something is deleted, in one line at its callers. */
export function useConfirmDelete(): (title: string, body: ReactNode) => Promise<boolean> {
  const confirm = useConfirm()
  const { t } = useTranslation('ui')
  return (title, body) => confirm({ title, body, action: t('delete'), isDangerous: true })
}
