import { listUsers, getSystemStats, type User } from '@causeway/contract'
import { Alert, Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CallError } from '../../../api/call-error.ts'
import { useConfirm } from '../../../ui/confirm.tsx'
import { FormFooter, ModalFrame, useFrameDirty } from '../../../ui/frames.tsx'
import { EmptyState, ErrorState } from '../../../ui/states.tsx'
import { useDialog } from '../../../ui/use-dialog.ts'
import { useLingering } from '../../../ui/use-lingering.ts'
import { USER_MODAL_WIDTH } from './create-user-modal.tsx'
import { ImpactText } from '../bulk/impact-text.tsx'
import { useUserForm } from './use-user-form.ts'
import { UserActionsMenu } from '../user-actions-menu.tsx'
import { UserDrawers } from '../drawers/user-drawers.tsx'
import { UserFields } from './user-fields.tsx'
import { changedFields, cutsOff, toForm, toPatch } from './user-form.ts'
import { UserStatusCard } from './user-status-card.tsx'
import { userQuery, useUpdateUser } from '../users.queries.ts'
import classes from './user-form.module.css'

export function EditUserModal() {
  const { t } = useTranslation('users')
  const client = useQueryClient()
  const dialog = useDialog('edit')
  const uuid = useLingering(dialog.value)

  function close(): void {
    dialog.close()
    void client.invalidateQueries({ queryKey: [listUsers.name] })
    void client.invalidateQueries({ queryKey: [getSystemStats.name] })
  }
  return (
    <ModalFrame isOpen={dialog.value !== undefined} onClose={close} title={t('edit.title')} width={USER_MODAL_WIDTH}>
      {uuid !== undefined && <EditUser key={uuid} uuid={uuid} onDone={close} />}
      <UserDrawers />
    </ModalFrame>
  )
}

function isNotFound(error: unknown): boolean {
  return error instanceof CallError && error.status === 404
}

/** Without an answer the save itself is tried: it says better what is wrong. */
function whyUnread(error: unknown): 'gone' | 'unreachable' {
  return isNotFound(error) ? 'gone' : 'unreachable'
}

function EditUser({ uuid, onDone }: { uuid: string; onDone: () => void }) {
  const { t } = useTranslation('users')
  const user = useQuery(userQuery(uuid))
  const isGone = isNotFound(user.error)
  if (isGone && !user.data)
    return <EmptyState title={t('edit.gone')} action={<Button onClick={onDone}>{t('edit.backToList')}</Button>} />
  if (user.data) return <EditUserForm user={user.data} isGone={isGone} isStale={user.isError && !isGone} onDone={onDone} />
  if (user.isError) return <ErrorState error={user.error} onRetry={() => void user.refetch()} />
  return (
    <Stack aria-busy>
      <Skeleton height={72} />
      <Skeleton height={420} />
    </Stack>
  )
}

interface FormProps {
  user: User
  /** Deleted by somebody else while the modal is open. */
  isGone: boolean
  /** The server does not answer; what is shown may have changed. */
  isStale: boolean
  onDone: () => void
}

function EditUserForm({ user, isGone, isStale, onDone }: FormProps) {
  const { t } = useTranslation('users')
  const { t: ui } = useTranslation('ui')
  const confirm = useConfirm()
  const client = useQueryClient()
  // What the form started from: only what differs from it is sent, and only that is compared with other people's changes.
  const [base, setBase] = useState(user)
  const [initial, setInitial] = useState(() => toForm(user))
  const { form, target } = useUserForm(initial)
  const update = useUpdateUser(target)
  const isChanged = changedFields(form.getValues(), initial).length > 0
  useFrameDirty(isChanged && !update.isSuccess && !isGone)
  const foreign = isGone ? [] : changedFields(toForm(user), toForm(base))

  function takeTheirs(): void {
    const theirs = toForm(user)
    setBase(user)
    setInitial(theirs)
    form.setInitialValues(theirs)
    form.setValues(theirs)
  }

  async function save(): Promise<void> {
    // Somebody may have saved since the last poll; their change must not be lost unseen.
    const fresh = await client.fetchQuery({ ...userQuery(user.uuid), staleTime: 0 }).catch(whyUnread)
    if (fresh === 'gone') return
    if (fresh !== 'unreachable' && changedFields(toForm(fresh), toForm(base)).length > 0) return
    const values = form.getValues()
    if (user.status === 'ACTIVE' && cutsOff(values, initial)) {
      const isAgreed = await confirm({
        title: t('confirm.tighten.title', { name: user.username }),
        body: (
          <Stack gap="xs">
            <span>{t('confirm.tighten.body')}</span>
            <ImpactText who={{ uuids: [user.uuid] }} />
          </Stack>
        ),
        action: t('confirm.tighten.action'),
      })
      if (!isAgreed) return
    }
    update.mutate(toPatch(user.uuid, values, initial), { onSuccess: onDone })
  }
  return (
    <form noValidate className={classes['form']} onSubmit={form.onSubmit(() => void save())}>
      {isGone && (
        <Alert variant="default" icon={<IconAlertTriangle size={18} color="var(--bad)" />} role="alert">
          {t('edit.goneMeanwhile')}
        </Alert>
      )}
      {isStale && (
        <Alert variant="default" color="yellow" icon={<IconAlertTriangle size={18} color="var(--warn)" />} role="alert">
          {t('edit.stale')}
        </Alert>
      )}
      {foreign.length > 0 && (
        <Alert
          variant="default"
          color="yellow"
          icon={<IconAlertTriangle size={18} color="var(--warn)" />}
          role="alert"
          title={t('edit.conflict.title')}
        >
          <Group gap="sm">
            <Text size="sm">{t('edit.conflict.text', { fields: foreign.map((name) => t(`formField.${name}`)).join(', ') })}</Text>
            <Button size="compact-sm" variant="default" onClick={takeTheirs}>
              {t('edit.conflict.theirs')}
            </Button>
            <Button size="compact-sm" variant="default" onClick={() => setBase(user)}>
              {t('edit.conflict.mine')}
            </Button>
          </Group>
        </Alert>
      )}
      <UserStatusCard user={user} />
      <UserFields form={form} isNameFixed />
      <FormFooter action={ui('save')} isBusy={update.isPending} isDisabled={isGone || foreign.length > 0}>
        {!isGone && <UserActionsMenu user={user} onDeleted={onDone} />}
      </FormFooter>
    </form>
  )
}
