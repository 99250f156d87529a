import type { CallInput, Endpoint, Reply } from '@causeway/contract'
import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { fetchCode } from '../lib/fetch-code.ts'
import { call } from './call.ts'
import { CallError } from './call-error.ts'
import { isUnproven, withProof } from './proof.ts'
import { splitErrors, takenField } from './field-errors.ts'
import {
  actionTitle,
  failTask,
  finishTask,
  hideLoading,
  showError,
  showFailure,
  showLoading,
  showSuccess,
  showTask,
  type Done,
} from './toasts.ts'

/** A form as far as a write knows it: it shows what the server says of its fields, by their names on the wire. */
export interface FormTarget {
  setErrors(errors: Record<string, string>): void
}

interface WriteOptions<E extends Endpoint> {
  /** Text of a toast that stands until the reply is there, for writes that take long. */
  loading?: string
  /** Text of the toast after success. */
  success?: string | ((reply: Reply<E>) => string)
  /** What became of it, in a line under the text: the thing by name, its date, its limit. */
  result?: (reply: Reply<E>) => string
  /** Reads that are out of date afterwards. */
  refreshes?: readonly { name: string }[]
  /** Writes the reply into the cache, before the refresh. */
  onReply?: (reply: Reply<E>, input: CallInput<E>, client: QueryClient) => void
  /** The form that shows the server's complaints on its fields. */
  form?: FormTarget
  /** The success can be undone from its message: for deletions, and for changes to many. */
  isUndoable?: boolean
  /** Runs after the failure has been shown. */
  onFailure?: (error: Error, input: CallInput<E>, client: QueryClient) => void
  /** The server only queues the work: a toast that stays until the answer, then says that it is queued. */
  task?: { title: string; pending: string; queued: string }
  /** Said of a 403, for which the server gives no reason. */
  refusal?: string
  /** Fails without a toast, for the few screens that show the failure themselves. */
  quiet?: boolean
}

/** Browsers have `randomUUID` on secure pages only. */
const newKey = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

/** A write of the API: validates, sends, shows the outcome and refreshes what it changed. */
export function useApiMutation<E extends Endpoint>(endpoint: E, options: WriteOptions<E> = {}) {
  const client = useQueryClient()
  const loadingId = `loading:${endpoint.name}`
  const entry = useRef<number>(undefined)
  const submission = useRef<{ content: string; key: string }>(undefined)
  /** A click repeated, or one after a lost answer, is the same submission until it has succeeded. */
  function keyOf(input: CallInput<E>): string {
    const content = JSON.stringify(input)
    if (submission.current?.content !== content) submission.current = { content, key: newKey() }
    return submission.current.key
  }
  return useMutation({
    mutationFn: (input: CallInput<E>) => {
      entry.current = undefined
      return withProof(() =>
        call(endpoint, input, {
          ...(endpoint.creates ? { idempotencyKey: keyOf(input) } : {}),
          ...(options.isUndoable ? { onEntry: (id) => void (entry.current = id) } : {}),
        }),
      )
    },
    onMutate: () => {
      if (options.loading !== undefined) showLoading(loadingId, options.loading)
      return { taskId: options.task && showTask(options.task.title, options.task.pending) }
    },
    onSuccess: (reply, input, { taskId }) => {
      submission.current = undefined
      options.onReply?.(reply, input, client)
      if (options.success !== undefined) {
        const message = typeof options.success === 'string' ? options.success : options.success(reply)
        const result = options.result?.(reply)
        if (entry.current === undefined) showSuccess(message, result)
        else void offerUndo({ message, result }, entry.current, client)
      }
      if (options.task && taskId !== undefined) {
        if (entry.current === undefined) finishTask(taskId, options.task.queued)
        else {
          hideLoading(taskId)
          void offerUndo({ message: options.task.queued }, entry.current, client)
        }
      }
      // Not awaited together with the mutation: a slow list must not keep a dialog open.
      void Promise.all((options.refreshes ?? []).map(({ name }) => client.invalidateQueries({ queryKey: [name] })))
    },
    onError: (error, input, started) => {
      if (!options.quiet && !isUnproven(error))
        showWriteFailure(
          endpoint,
          options.refusal === undefined ? error : withReason(error, options.refusal),
          options.form,
          started?.taskId,
        )
      options.onFailure?.(error, input, client)
    },
    onSettled: () => {
      if (options.loading !== undefined) hideLoading(loadingId)
    },
  })
}

// Signing in has nothing to undo, and would wait for this code.
const undoAtHand = () => import('./undo-at-hand.tsx')

async function offerUndo(done: Done, entryId: number, client: QueryClient): Promise<void> {
  try {
    const { showUndoable } = await fetchCode(undoAtHand)
    showUndoable(done, entryId, client)
  } catch {
    showSuccess(done.message, done.result)
  }
}

function showWriteFailure(endpoint: Endpoint, error: Error, form: FormTarget | undefined, taskId: string | undefined): void {
  const { fields, others } = splitErrors(error)
  const isOnForm = form !== undefined && Object.keys(fields).length > 0
  if (isOnForm) form.setErrors(fields)
  const taken = takenField(error)
  if (taken && form) form.setErrors({ [taken.field]: taken.message })
  if (isOnForm || others.length > 0) {
    // The form, or a sentence of its own, says what the toast of the task would say.
    if (taskId !== undefined) hideLoading(taskId)
    for (const message of others) showError(actionTitle(endpoint), message)
  } else if (taskId !== undefined) failTask(taskId, endpoint, error)
  else showFailure(endpoint, error)
}

function withReason(error: Error, reason: string): Error {
  if (!(error instanceof CallError) || error.status !== 403) return error
  return new CallError(reason, { status: error.status, code: error.code, serverMessage: reason, cause: error.cause })
}
