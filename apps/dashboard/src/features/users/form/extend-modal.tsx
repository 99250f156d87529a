import { MOST_EXTENDED, type User } from '@causeway/contract'
import { Stack } from '@mantine/core'
import dayjs from 'dayjs'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { numberProblem, type NumberEntry } from '../../../lib/numbers/number-entry.ts'
import { useNow } from '../../../lib/time/now.ts'
import { FormFooter, useFrameDirty } from '../../../ui/frames/frames.tsx'
import { NumberField } from '../../../ui/inputs/number-field.tsx'
import { UserModal } from '../user-modal.tsx'
import { useUserActions } from '../users.queries.ts'
import { ExpiryChange } from './expiry-change.tsx'
import { extensionStart } from './user-form.ts'

const RULE = { decimals: 0, min: 1, max: MOST_EXTENDED.days }

/** Another number of days than those offered, with the dates before and after. */
export function ExtendModal() {
  const { t } = useTranslation('users')
  return (
    <UserModal dialog="extend" title={(name) => t('extendOwn.title', { name })} width={420} height={140}>
      {(user, onDone) => <ExtendForm user={user} onDone={onDone} />}
    </UserModal>
  )
}

function ExtendForm({ user, onDone }: { user: User; onDone: () => void }) {
  const { t } = useTranslation('users')
  const { extend } = useUserActions()
  const [days, setDays] = useState<NumberEntry>('')
  const now = new Date(useNow())
  const taken = typeof days === 'number' && numberProblem(days, RULE) === undefined ? days : undefined
  const to = taken === undefined ? undefined : extensionStart(now, dayjs(user.expireAt).format()).add(taken, 'day').toDate()
  useFrameDirty(days !== '' && !extend.isSuccess)
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (to) extend.mutate({ uuid: user.uuid, expireAt: to.toISOString() }, { onSuccess: onDone })
      }}
    >
      <Stack gap="sm" pb="md">
        <NumberField label={t('extendOwn.days')} rule={RULE} value={days} onChange={setDays} data-autofocus required />
        {to && <ExpiryChange from={new Date(user.expireAt)} to={to} />}
      </Stack>
      <FormFooter action={t('overview.extend')} isBusy={extend.isPending} isDisabled={!to} />
    </form>
  )
}
