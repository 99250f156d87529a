import { createSharedList, updateSharedList } from '@causeway/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMay } from '../../api/rights/may.tsx'
import { FormFooter, ModalFrame, useFrameDirty } from '../../ui/frames/frames.tsx'
import { LoadingRows } from '../../ui/frames/states.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { MachineTextInput } from '../../ui/inputs/inputs.tsx'
import { useLingering } from '../../ui/use-lingering.ts'
import { sharedListQuery, useListActions } from './node-plugins.queries.ts'
import { Networks } from './plugin-fields.tsx'

/** No list has a name of one sign. */
export const NEW_LIST = '+'

export function SharedListModal() {
  const { t } = useTranslation('node-plugins')
  const dialog = useDialog('list')
  const name = useLingering(dialog.value)
  const isNew = name === NEW_LIST
  const list = useQuery({ ...sharedListQuery(name ?? ''), enabled: name !== undefined && !isNew })
  const items = isNew ? [] : list.data?.config.type === 'ipList' ? list.data.config.items : undefined
  return (
    <ModalFrame
      isOpen={dialog.value !== undefined}
      onClose={dialog.close}
      title={isNew ? t('list.create') : t('list.edit', { name: name ?? '' })}
      width={520}
    >
      {items ? <ListForm key={name} name={isNew ? undefined : name} items={items} onDone={dialog.close} /> : <LoadingRows />}
    </ModalFrame>
  )
}

function ListForm({ name, items, onDone }: { name: string | undefined; items: readonly string[]; onDone: () => void }) {
  const { t } = useTranslation('node-plugins')
  const { t: ui } = useTranslation('ui')
  const [newName, setNewName] = useState('')
  const [entries, setEntries] = useState<readonly string[]>(items)
  const { create, update } = useListActions(onDone)
  const may = useMay()(name === undefined ? createSharedList : updateSharedList)
  const isChanged = newName !== '' || entries.join() !== items.join()
  const isNamed = name !== undefined || createSharedList.body.shape.name.safeParse(newName).success
  useFrameDirty(isChanged && !create.isSuccess && !update.isSuccess)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        const config = { type: 'ipList' as const, items: [...entries] }
        if (name === undefined) create.mutate({ name: newName, config })
        else update.mutate({ name, config })
      }}
    >
      {name === undefined && (
        <MachineTextInput
          label={t('name')}
          description={t('list.nameHint')}
          mb="sm"
          data-autofocus
          value={newName}
          onChange={(event) => setNewName(event.currentTarget.value)}
        />
      )}
      <Networks label={t('list.networks')} value={entries} onChange={setEntries} />
      <FormFooter
        action={name === undefined ? ui('create') : ui('save')}
        isBusy={create.isPending || update.isPending}
        isDisabled={!isChanged || !isNamed || !may}
      />
    </form>
  )
}
