import { notifications } from '@mantine/notifications'
import i18n from 'i18next'
import { CallError } from './call-error.ts'

interface Named {
  name: string
  title: string
}

/** Red, titled by the action that failed. The same failure shows once, however often a poll repeats it. */
export function showFailure(endpoint: Named, error: unknown): void {
  if (error instanceof CallError && error.hadSession) return
  const said = error instanceof CallError ? error.serverMessage : undefined
  showError(actionTitle(endpoint), said ?? i18n.t('api:unknownError'), `failure:${endpoint.name}`)
}

export function showError(title: string, message: string, id?: string): void {
  notifications.show({ color: 'red', title, message, ...(id === undefined ? {} : { id }) })
}

export function showSuccess(message: string): void {
  notifications.show({ color: 'teal', message })
}

function actionTitle({ name, title }: Named): string {
  return i18n.t(`api:actions.${name}`, { defaultValue: title })
}
