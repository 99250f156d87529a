import type { Passkey } from '@causeway/contract'
import { Button, Text } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ModalFrame } from '../../../ui/frames/frames.tsx'
import { useConfirm } from '../../../ui/frames/confirm.tsx'
import { ErrorState, LoadingRows } from '../../../ui/frames/states.tsx'
import { useDialog } from '../../../ui/frames/use-dialog.ts'
import { NameForm } from '../../../ui/inputs/name-form.tsx'
import { TimeCell } from '../../../ui/rows/cells.tsx'
import {
  createCredential,
  passkeysQuery,
  secondFactorQuery,
  useAddPasskey,
  useRemovePasskey,
  useRenamePasskey,
} from './second-factor.queries.ts'
import { useCeremony } from '../parts/use-ceremony.ts'
import { AccountRow } from './account-row.tsx'
import { browserOf } from './account.rules.ts'
import classes from './account.module.css'

const LONGEST_NAME = 30

/** Passkeys of the account. `onFirst` runs when one was added and there are no recovery codes yet. */
export function PasskeysList({ onFirst }: { onFirst: () => void }) {
  const { t } = useTranslation('account')
  const read = useQuery(passkeysQuery())
  const { data: factor } = useQuery(secondFactorQuery())
  const { value, close } = useDialog('dialog')
  const add = useAddPasskey()
  const create = useCeremony(createCredential, onCreated)
  if (read.isError && !read.data) return <ErrorState error={read.error} onRetry={() => void read.refetch()} />
  if (!read.data) return <LoadingRows count={2} height={40} />
  const { passkeys } = read.data
  const renamed = passkeys.find(({ id }) => value === `passkey:${id}`)

  function onCreated(response: object | 'known' | undefined): void {
    if (typeof response !== 'object') return
    const { program, system } = browserOf(navigator.userAgent)
    const name = [program, system].filter((each) => each !== undefined).join(', ') || t('passkeys.unnamed')
    const input = { response, name: name.slice(0, LONGEST_NAME) }
    add.mutate(input, { onSuccess: () => (factor?.recoveryCodesLeft ?? 0) === 0 && onFirst() })
  }
  const { error, isDone, result } = create
  const isRefused = isDone && typeof result !== 'object'
  const problem = error?.message ?? (isRefused && t(result === 'known' ? 'passkeys.known' : 'passkeys.aborted'))
  return (
    <>
      <div className={classes['line']}>
        <Text size="sm" c="dimmed">
          {t('passkeys.hint')}
        </Text>
        <Button
          variant="default"
          leftSection={<IconFingerprint size={16} aria-hidden />}
          loading={create.isPending || add.isPending}
          onClick={() => void create.start()}
        >
          {t('passkeys.add')}
        </Button>
      </div>
      {problem && (
        <Text size="sm" c="red" role="alert">
          {problem}
        </Text>
      )}
      <ul className={classes['sessions']} aria-label={t('passkeys.title')}>
        {passkeys.map((passkey) => (
          <PasskeyRow key={passkey.id} passkey={passkey} />
        ))}
      </ul>
      <ModalFrame isOpen={renamed !== undefined} onClose={close} title={t('passkeys.renameTitle')} width={420}>
        {renamed && <RenamePasskeyForm key={renamed.id} passkey={renamed} onDone={close} />}
      </ModalFrame>
    </>
  )
}

function PasskeyRow({ passkey }: { passkey: Passkey }) {
  const { t } = useTranslation('account')
  const { open } = useDialog('dialog')
  const confirm = useConfirm()
  const remove = useRemovePasskey()
  const { id, name, createdAt, lastUsedAt } = passkey

  async function onRemove(): Promise<void> {
    const question = { title: t('passkeys.removeTitle', { name }), body: t('passkeys.removeBody'), action: t('passkeys.remove') }
    if (await confirm({ ...question, isDangerous: true })) remove.mutate({ id })
  }
  return (
    <AccountRow
      icon={IconFingerprint}
      name={<bdi className={classes['program']}>{name}</bdi>}
      facts={
        <>
          <span>
            {t('passkeys.created')} <TimeCell at={createdAt} />
          </span>
          <span>
            {lastUsedAt === null ? (
              t('passkeys.unused')
            ) : (
              <>
                {t('passkeys.lastUsed')} <TimeCell at={lastUsedAt} />
              </>
            )}
          </span>
        </>
      }
    >
      <Button
        size="compact-sm"
        variant="default"
        aria-label={t('passkeys.renameOne', { name })}
        onClick={() => open(`passkey:${id}`)}
      >
        {t('passkeys.rename')}
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        loading={remove.isPending}
        aria-label={t('passkeys.removeOne', { name })}
        onClick={() => void onRemove()}
      >
        {t('passkeys.remove')}
      </Button>
    </AccountRow>
  )
}

function RenamePasskeyForm({ passkey, onDone }: { passkey: Passkey; onDone: () => void }) {
  const { t } = useTranslation('account')
  const [name, setName] = useState(passkey.name)
  const rename = useRenamePasskey()
  const trimmed = name.trim()
  const isValid = trimmed !== '' && trimmed.length <= LONGEST_NAME
  return (
    <NameForm
      label={t('passkeys.name')}
      hint={t('passkeys.nameHint', { count: LONGEST_NAME })}
      name={{ value: name, isValid, error: undefined, change: setName }}
      action={t('passkeys.rename')}
      isUnchanged={trimmed === passkey.name}
      isBusy={rename.isPending}
      isDone={rename.isSuccess}
      onSubmit={() => rename.mutate({ id: passkey.id, name: trimmed }, { onSuccess: onDone })}
    />
  )
}
