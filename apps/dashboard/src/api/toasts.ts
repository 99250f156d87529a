import { notifications, type NotificationData } from '@mantine/notifications'
import i18n from 'i18next'
import { CallError, isNoId } from './call-error.ts'

interface Named {
  name: string
  title: string
}

/** Red, titled by the action that failed. The same failure shows once, however often a poll repeats it. */
export function showFailure(endpoint: Named, error: unknown): void {
  if (error instanceof CallError && (error.hadSession || isNoId(error))) return
  const message = (error instanceof CallError ? error.serverMessage : undefined) ?? i18n.t('api:unknownError')
  showError(actionTitle(endpoint), message, `failure:${endpoint.name}:${message}`)
}

/** What is on the screen already in the same words is not queued behind itself. */
export function showError(title: string, message: string, id = `error:${title}:${message}`): void {
  show({ color: 'red', title, message, id })
}

/** In one line, where the sentence names the action itself. */
export function showBriefError(message: string): void {
  show({ color: 'red', message, id: `error:${message}` })
}

export interface Done {
  message: string
  /** What became of it, in a line of its own. */
  result?: string | undefined
}

export function showSuccess(message: string, result?: string): void {
  const id = `success:${message}`
  show(result === undefined ? { color: 'teal', message, id } : { color: 'teal', title: message, message: result, id })
}

/** For what cannot be done and is no failure: goes by itself before long. */
export function showWarning(title: string, message: string, autoClose: number): void {
  show({ color: 'yellow', title, message, autoClose, id: `warning:${title}:${message}` })
}

const OPEN_MS = 5000
let isOdd = false

/** The same message again stays as long as a new one. The library starts its time anew only for another time. */
function show(shown: Omit<NotificationData, 'autoClose'> & { autoClose?: number }): void {
  isOdd = !isOdd
  const data = { ...closableOptions(), ...shown, autoClose: (shown.autoClose ?? OPEN_MS) + Number(isOdd) }
  notifications.show(data)
  notifications.update(data)
}

/** Stands until it is hidden. */
export function showLoading(id: string, message: string): void {
  notifications.show({ id, message, loading: true, autoClose: false, withCloseButton: false })
}

export function hideLoading(id: string): void {
  notifications.hide(id)
}

const TASK_DONE_MS = 3000
const TASK_FAILED_MS = 5000

/** For work that the server only queues: stays until the answer, which replaces it. */
export function showTask(title: string, message: string): string {
  return notifications.show({ title, message, loading: true, autoClose: false, withCloseButton: false })
}

export function finishTask(id: string, message: string): void {
  notifications.update({
    id,
    color: 'teal',
    title: null,
    message,
    loading: false,
    autoClose: TASK_DONE_MS,
    ...closableOptions(),
  })
}

export function failTask(id: string, endpoint: Named, error: unknown): void {
  const said = error instanceof CallError ? error.serverMessage : undefined
  notifications.update({
    id,
    color: 'red',
    title: actionTitle(endpoint),
    message: said ?? i18n.t('api:unknownTaskError'),
    loading: false,
    autoClose: TASK_FAILED_MS,
    ...closableOptions(),
  })
}

/** The library gives the button no name. */
export function closableOptions() {
  return { withCloseButton: true, closeButtonProps: { 'aria-label': i18n.t('ui:close') } }
}

/** The action's name in the reader's language. */
export function actionTitle({ name, title }: Named): string {
  return i18n.t(`api:actions.${name}`, { defaultValue: title })
}
