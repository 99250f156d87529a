import type { wireName } from '@causeway/contract'
import { useState } from 'react'
import { ModalFrame } from '../ui/frames/frames.tsx'
import { useDialog } from '../ui/frames/use-dialog.ts'
import { NameForm } from '../ui/inputs/name-form.tsx'
import { CallError } from './call-error.ts'
import { issueText, splitErrors } from './field-errors.ts'

/** A name that is checked while it is typed, and that shows what the server has against it. */
export function useLiveName(schema: typeof wireName, initial = '') {
  const [value, setValue] = useState(initial)
  const [serverError, setServerError] = useState<string>()
  const checked = schema.safeParse(value)
  const [issue] = checked.error?.issues ?? []
  return {
    value,
    isValid: checked.success,
    error: value === '' || issue === undefined ? serverError : issueText(issue),
    change: (next: string) => {
      setValue(next)
      setServerError(undefined)
    },
    showFailure: (error: Error) => {
      setServerError(splitErrors(error).fields['name'] ?? (error instanceof CallError ? error.serverMessage : undefined))
    },
  }
}

interface NewProps<Told extends unknown[], Body> {
  schema: typeof wireName
  words: { label: string; hint: string }
  useCreate: (options: { onCreated: (...told: Told) => void; onFailure: (error: Error) => void }) => {
    mutate: (body: Body) => void
    isPending: boolean
    isSuccess: boolean
  }
  bodyOf: (name: string) => Body
  onCreated: (...told: Told) => void
}

/** Asks for the name of a new thing; everything else of it comes after. */
export function NewNameForm<Told extends unknown[], Body>({ schema, words, useCreate, bodyOf, onCreated }: NewProps<Told, Body>) {
  const name = useLiveName(schema)
  const create = useCreate({ onCreated, onFailure: name.showFailure })
  return (
    <NameForm
      {...words}
      name={name}
      isBusy={create.isPending}
      isDone={create.isSuccess}
      onSubmit={() => create.mutate(bodyOf(name.value))}
    />
  )
}

interface Named {
  uuid: string
  name: string
}

interface Renaming {
  mutate: (edit: Named, options: { onSuccess: () => void }) => void
  isPending: boolean
  isSuccess: boolean
}

interface FormProps {
  schema: typeof wireName
  words: { label: string; hint: string; action: string }
  useRename: (options: { onFailure: (error: Error) => void }) => Renaming
}

interface Props extends FormProps {
  things: readonly Named[]
  title: (name: string | undefined) => string
}

/** Renames the thing that the page's address names. */
export function RenameModal({ things, title, ...form }: Props) {
  const dialog = useDialog('rename')
  const thing = things.find(({ uuid }) => uuid === dialog.value)
  return (
    <ModalFrame isOpen={thing !== undefined} onClose={dialog.close} title={title(thing?.name)} width={440}>
      {thing && <RenameForm key={thing.uuid} {...form} thing={thing} onDone={dialog.close} />}
    </ModalFrame>
  )
}

function RenameForm({ thing, schema, words, useRename, onDone }: FormProps & { thing: Named; onDone: () => void }) {
  const name = useLiveName(schema, thing.name)
  const rename = useRename({ onFailure: name.showFailure })
  return (
    <NameForm
      {...words}
      name={name}
      isUnchanged={name.value === thing.name}
      isBusy={rename.isPending}
      isDone={rename.isSuccess}
      onSubmit={() => rename.mutate({ uuid: thing.uuid, name: name.value }, { onSuccess: onDone })}
    />
  )
}
