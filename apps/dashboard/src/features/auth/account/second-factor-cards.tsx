import { Badge, Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ModalFrame } from '../../../ui/frames/frames.tsx'
import { useConfirm } from '../../../ui/frames/confirm.tsx'
import { ErrorState, LoadingRows } from '../../../ui/frames/states.tsx'
import { useDialog } from '../../../ui/frames/use-dialog.ts'
import { TimeCell } from '../../../ui/rows/cells.tsx'
import { AccountCard } from './account-card.tsx'
import { AuthenticatorForm } from './authenticator-form.tsx'
import { PasskeysList } from './passkeys-list.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { secondFactorQuery, useMakeRecoveryCodes, useRemoveAuthenticator } from './second-factor.queries.ts'
import classes from './account.module.css'

/** Proofs beside the password, or in its place. `onKept` runs when new recovery codes were put away. */
export function SecondFactorCards({ onKept }: { onKept?: () => void }) {
  const { t } = useTranslation('account')
  // They are shown once, so that no address leads to them.
  const [shownCodes, setShownCodes] = useState<readonly string[]>()
  const make = useMakeRecoveryCodes()
  const onCodesMissing = () => make.mutate({}, { onSuccess: ({ recoveryCodes }) => setShownCodes(recoveryCodes) })
  function onCodesKept(): void {
    setShownCodes(undefined)
    onKept?.()
  }
  return (
    <>
      <AccountCard id="second-factor" title={t('factor.title')}>
        <SecondFactor onCodes={setShownCodes} />
      </AccountCard>
      <AccountCard id="passkeys" title={t('passkeys.title')}>
        <PasskeysList onFirst={onCodesMissing} />
      </AccountCard>
      <ModalFrame isOpen={shownCodes !== undefined} onClose={onCodesKept} title={t('codes.title')} width={480}>
        <RecoveryCodes codes={shownCodes ?? []} />
      </ModalFrame>
    </>
  )
}

function SecondFactor({ onCodes }: { onCodes: (codes: readonly string[]) => void }) {
  const { t } = useTranslation('account')
  const read = useQuery(secondFactorQuery())
  const { value, open, close } = useDialog('dialog')
  const remove = useRemoveAuthenticator()
  const make = useMakeRecoveryCodes()
  const confirm = useConfirm()
  if (read.isError && !read.data) return <ErrorState error={read.error} onRetry={() => void read.refetch()} />
  if (!read.data) return <LoadingRows count={2} height={40} />
  const { authenticatorSince, passkeys, recoveryCodesLeft } = read.data

  async function onRemove(): Promise<void> {
    const question = { title: t('factor.removeTitle'), body: t('factor.removeBody'), action: t('factor.remove') }
    if (await confirm({ ...question, isDangerous: true })) remove.mutate({})
  }
  async function onRemake(): Promise<void> {
    const question = { title: t('codes.remakeTitle'), body: t('codes.remakeBody'), action: t('codes.remake') }
    if (recoveryCodesLeft > 0 && !(await confirm(question))) return
    make.mutate({}, { onSuccess: ({ recoveryCodes }) => onCodes(recoveryCodes) })
  }
  const isOn = authenticatorSince !== null
  return (
    <ul className={classes['sessions']}>
      <li className={classes['session']}>
        <div className={classes['what']}>
          <span className={classes['name']}>
            {t('factor.authenticator')}
            <Badge size="sm" variant="light" color={isOn ? 'teal' : 'gray'} tt="none">
              {isOn ? t('factor.on') : t('factor.off')}
            </Badge>
          </span>
          <span className={classes['facts']}>
            {isOn ? (
              <span>
                {t('factor.since')} <TimeCell at={authenticatorSince} />
              </span>
            ) : (
              t('factor.hint')
            )}
          </span>
        </div>
        {isOn ? (
          <Button size="compact-sm" variant="default" loading={remove.isPending} onClick={() => void onRemove()}>
            {t('factor.remove')}
          </Button>
        ) : (
          <Button size="compact-sm" onClick={() => open('authenticator')}>
            {t('factor.setUp')}
          </Button>
        )}
      </li>
      {(isOn || passkeys > 0) && (
        <li className={classes['session']}>
          <div className={classes['what']}>
            <span className={classes['name']}>{t('codes.label')}</span>
            <Text size="xs" c={recoveryCodesLeft > 2 ? 'dimmed' : 'orange'}>
              {recoveryCodesLeft === 0 ? t('codes.none') : t('codes.left', { count: recoveryCodesLeft })}
            </Text>
          </div>
          <Button size="compact-sm" variant="default" loading={make.isPending} onClick={() => void onRemake()}>
            {t('codes.remake')}
          </Button>
        </li>
      )}
      <ModalFrame isOpen={value === 'authenticator'} onClose={close} title={t('factor.setUpTitle')} width={520}>
        <AuthenticatorForm
          onConfirmed={(codes) => {
            close()
            onCodes(codes)
          }}
        />
      </ModalFrame>
    </ul>
  )
}
