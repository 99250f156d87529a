import { VIEW_NAME_LENGTH, type SavedView } from '@causeway/contract'
import { ActionIcon, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconReplace, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useConfirm, useConfirmDelete } from '../../../ui/frames/confirm.tsx'
import { FormFooter, ModalFrame, useFrameDirty } from '../../../ui/frames/frames.tsx'
import { useDialog } from '../../../ui/frames/use-dialog.ts'
import { usersViewsQuery, useViewActions } from './users-views.queries.ts'
import { isNameTaken, isSameList, keptSearch } from './ready-views.ts'

const NONE: SavedView[] = []

/** Saving what is shown under a name, and what can be done with saved views. Open by `?views=save` and `?views=manage`. */
export function ViewsDialogs() {
  const { t } = useTranslation('views')
  const { value, close } = useDialog('views')
  const search: Record<string, unknown> = useSearch({ strict: false })
  const { data } = useQuery({ ...usersViewsQuery(), enabled: value !== undefined })
  const views = data?.views ?? NONE
  const kept = keptSearch(search)
  return (
    <>
      <ModalFrame isOpen={value === 'save'} onClose={close} title={t('saveTitle')} width={440}>
        <SaveForm views={views} search={kept} onSaved={close} />
      </ModalFrame>
      <ModalFrame isOpen={value === 'manage'} onClose={close} title={t('manageTitle')} width={560}>
        <Stack gap="sm">
          {views.length === 0 && <Text c="dimmed">{t('none')}</Text>}
          {views.map((view) => (
            <ViewRow key={`${view.uuid} ${view.name}`} view={view} views={views} search={kept} />
          ))}
        </Stack>
      </ModalFrame>
    </>
  )
}

interface Props {
  views: readonly SavedView[]
  /** The current view. */
  search: Record<string, string>
}

function SaveForm({ views, search, onSaved }: Props & { onSaved: () => void }) {
  const { t } = useTranslation('views')
  const [name, setName] = useState('')
  const { save } = useViewActions()
  const isTaken = isNameTaken(name, views)
  const isReady = name.trim() !== '' && !isTaken
  useFrameDirty(name !== '' && !save.isPending && !save.isSuccess)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady) save.mutate({ page: 'users', name, search }, { onSuccess: onSaved })
      }}
    >
      <TextInput
        label={t('name')}
        description={t('nameHint')}
        required
        data-autofocus
        maxLength={VIEW_NAME_LENGTH}
        mb="lg"
        value={name}
        error={isTaken && t('nameTaken')}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <FormFooter action={t('saveAction')} isBusy={save.isPending} isDisabled={!isReady} />
    </form>
  )
}

function ViewRow({ view, views, search }: Props & { view: SavedView }) {
  const { t } = useTranslation('views')
  const [name, setName] = useState(view.name)
  const { change, remove } = useViewActions()
  const confirm = useConfirm()
  const confirmDelete = useConfirmDelete()
  const isTaken = isNameTaken(name, views, view.uuid)
  const isRenamed = name.trim() !== '' && name.trim() !== view.name && !isTaken
  const isBusy = change.isPending || remove.isPending

  async function replace(): Promise<void> {
    const isAgreed = await confirm({
      title: t('replaceTitle', { name: view.name }),
      body: t('replaceBody'),
      action: t('replaceAction'),
    })
    if (isAgreed) change.mutate({ uuid: view.uuid, search })
  }
  async function onDelete(): Promise<void> {
    if (await confirmDelete(t('deleteTitle', { name: view.name }), t('deleteBody'))) remove.mutate({ uuid: view.uuid })
  }
  return (
    <form
      aria-label={view.name}
      onSubmit={(event) => {
        event.preventDefault()
        if (isRenamed) change.mutate({ uuid: view.uuid, name })
      }}
    >
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <TextInput
          style={{ flex: 1 }}
          aria-label={t('nameOf', { name: view.name })}
          maxLength={VIEW_NAME_LENGTH}
          value={name}
          error={isTaken && t('nameTaken')}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" disabled={!isRenamed} loading={change.isPending}>
          {t('rename')}
        </Button>
        <ActionIcon
          size="input-sm"
          aria-label={t('replace', { name: view.name })}
          title={t('replace', { name: view.name })}
          disabled={isBusy || isSameList(view.search, search)}
          onClick={() => void replace()}
        >
          <IconReplace size={18} aria-hidden />
        </ActionIcon>
        <ActionIcon
          size="input-sm"
          color="red"
          aria-label={t('delete', { name: view.name })}
          title={t('delete', { name: view.name })}
          disabled={isBusy}
          onClick={() => void onDelete()}
        >
          <IconTrash size={18} aria-hidden />
        </ActionIcon>
      </Group>
    </form>
  )
}
