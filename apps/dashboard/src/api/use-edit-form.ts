import { useForm, type UseFormInput } from '@mantine/form'
import { useQueryClient, type queryOptions } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useIsStillOpen } from '../ui/frames/frames.tsx'
import { isNotFound } from './call-error.ts'
import { differingNames, mergeForeign, type EditFields } from './edit-merge.ts'

/** A read that can be asked again before saving: what apiQuery() makes. */
export type EditRead<Entity> = ReturnType<typeof queryOptions<Entity>>

/** A thing that has been read for editing and is still followed. */
export interface Opened<Entity> {
  entity: Entity
  read: EditRead<Entity>
  /** Another administrator deleted it while it was open. */
  isGone: boolean
  /** The server does not answer; what is shown may have changed. */
  isStale: boolean
  /** Told when something is entered that is not saved. */
  onChanged: (isChanged: boolean) => void
}

/** A change to save: the values, their former ones, and the names of those that differ. */
export interface Change<Form> {
  values: Form
  base: Form
  changed: ReadonlySet<keyof Form>
}

/**
 * Sends a change. Undefined when the person thought better of it. Who asks them first finds out by `isFresh` afterwards whether
 * nobody has saved meanwhile; if somebody has, the form says what, and this is sent another time.
 */
export type SendChange<Entity, Form> = (change: Change<Form>, isFresh: () => Promise<boolean>) => Promise<Entity | undefined>

export type EditForm<Entity, Form extends Record<string, unknown>> = ReturnType<typeof useEditForm<Entity, Form>>

interface Options<Entity, Form extends Record<string, unknown>> {
  opened: Opened<Entity>
  toForm: (entity: Entity) => Form
  fields: EditFields<Form>
  validate?: UseFormInput<Form>['validate']
  validateInputOnBlur?: boolean
}

/**
 * The form of something that others may change at the same time. What they change shows in the fields that were left alone;
 * where both changed a field, the person decides, and until then nothing is sent. Only what differs is for sending.
 */
export function useEditForm<Entity, Form extends Record<string, unknown>>(options: Options<Entity, Form>) {
  const { opened, toForm, fields, validate, validateInputOnBlur = false } = options
  const { entity, read, isGone, isStale, onChanged } = opened
  const client = useQueryClient()
  const theirs = toForm(entity)
  const [base, setBase] = useState(theirs)
  const [taken, setTaken] = useState<readonly (keyof Form)[]>([])
  const [isSaving, setSaving] = useState(false)
  const seen = useRef(entity)
  const isOpen = useIsStillOpen()
  const form = useForm<Form>({
    mode: 'controlled',
    initialValues: base,
    validateInputOnBlur,
    ...(validate === undefined ? {} : { validate }),
  })
  const changed = differingNames(fields, form.values, base)
  const conflicts = isSaving || isGone ? [] : mergeForeign(fields, base, form.values, theirs).conflicts
  const isChanged = changed.length > 0

  function start(nextBase: Form, values: Form): void {
    setBase(nextBase)
    form.setInitialValues(nextBase)
    form.setValues(values)
  }

  // The server's answer may come at any moment.
  useEffect(() => {
    if (isSaving || seen.current === entity) return
    // A save writes the cache before the screen follows: one render still has what was read before it.
    if (client.getQueryData(read.queryKey) !== entity) return
    seen.current = entity
    const merged = mergeForeign(fields, base, form.getValues(), theirs)
    if (differingNames(fields, merged.base, base).length === 0) return
    start(merged.base, merged.values)
    setTaken((before) => [...new Set([...before, ...merged.taken])])
    // oxlint-disable-next-line react/exhaustive-deps -- only news from the server is a reason to look
  }, [entity, isSaving])

  // Readers for this form may rest while something is entered.
  useEffect(() => onChanged(isChanged), [onChanged, isChanged])

  /** Resolves to whether it is saved. */
  async function save(send: SendChange<Entity, Form>): Promise<boolean> {
    setSaving(true)
    try {
      const values = form.getValues()
      const merged = await compare(values)
      if (!merged) return false
      const changed = new Set(differingNames(fields, values, merged.base))
      // Another administrator has saved the same.
      if (changed.size === 0) {
        start(merged.base, values)
        return true
      }
      const isFresh = async () => (await compare(values)) !== undefined
      const saved = await send({ values, base: merged.base, changed }, isFresh).catch(asShown)
      if (saved === undefined) return false
      // A read that began before this save may still bring the former state.
      await client.cancelQueries({ queryKey: read.queryKey, exact: true })
      client.setQueryData(read.queryKey, saved)
      // Entries made during the save stay, and are saved next.
      start(toForm(saved), mergeForeign(fields, values, form.getValues(), toForm(saved)).values)
      setTaken([])
      return true
    } finally {
      setSaving(false)
    }
  }

  /** Somebody may have saved since the last read; their change must not be lost unseen: then there is nothing to go on with. */
  async function compare(values: Form) {
    const fresh = await client.fetchQuery({ ...read, staleTime: 0 }).catch(whyUnread)
    // A change given up during this read must not be sent.
    if (fresh === 'gone' || !isOpen.current) return undefined
    const merged = mergeForeign(fields, base, values, fresh === 'unreachable' ? base : toForm(fresh))
    return merged.taken.length > 0 || merged.conflicts.length > 0 ? undefined : merged
  }

  function decide(whose: 'theirs' | 'mine'): void {
    const values = { ...form.getValues() }
    if (whose === 'theirs') for (const name of conflicts) values[name] = theirs[name]
    start(theirs, values)
    setTaken([])
  }

  return {
    entity,
    form,
    fields,
    theirs,
    isGone,
    isStale,
    isSaving,
    isChanged,
    /** Nothing stands against sending what was entered. */
    canSave: isChanged && !isGone && conflicts.length === 0,
    /** Fields that show another administrator's change, until dismissed. */
    taken,
    /** Fields that both changed, waiting for a decision. */
    conflicts,
    decide,
    dismiss: () => setTaken([]),
    /** Back to what the server has. */
    reset: () => start(theirs, theirs),
    save,
  }
}

/** Without an answer the save itself is tried: it says better what is wrong. */
function whyUnread(error: unknown): 'gone' | 'unreachable' {
  return isNotFound(error) ? 'gone' : 'unreachable'
}

/** A failed write has been shown where it was sent. */
function asShown(): undefined {
  return undefined
}
