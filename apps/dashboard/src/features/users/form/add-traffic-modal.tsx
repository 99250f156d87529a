import type { User } from '@causeway/contract'
import { Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatBytes, gibToBytes } from '../../../lib/numbers/bytes.ts'
import { numberProblem, type NumberEntry } from '../../../lib/numbers/number-entry.ts'
import { FormFooter, useFrameDirty } from '../../../ui/frames/frames.tsx'
import { NumberField } from '../../../ui/inputs/number-field.tsx'
import { UserModal } from '../user-modal.tsx'
import { useUserActions } from '../users.queries.ts'
import { ADDED_GIB_RULE, limitAfterAdding } from '../users.rules.ts'
import { PeriodChoice } from './period-choice.tsx'

/** Another amount than those offered, with what is used and the limit that follows. */
export function AddTrafficModal() {
  const { t } = useTranslation('users')
  return (
    <UserModal dialog="addTraffic" title={(name) => t('addTraffic.title', { name })} width={440} height={160}>
      {(user, onDone) => <AddTrafficForm user={user} onDone={onDone} />}
    </UserModal>
  )
}

function AddTrafficForm({ user, onDone }: { user: User; onDone: () => void }) {
  const { t, i18n } = useTranslation('users')
  const { addTraffic } = useUserActions()
  const [gib, setGib] = useState<NumberEntry>('')
  const [isChosenOnce, setOnce] = useState(true)
  const taken = typeof gib === 'number' && numberProblem(gib, ADDED_GIB_RULE) === undefined ? gibToBytes(gib) : undefined
  const shown = (bytes: number) => formatBytes(bytes, i18n.language)
  const hasPeriods = user.trafficLimitStrategy !== 'NO_RESET'
  const isOnce = hasPeriods && isChosenOnce
  useFrameDirty(gib !== '' && !addTraffic.isSuccess)
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (taken !== undefined) addTraffic.mutate({ uuid: user.uuid, bytes: taken, isOnce }, { onSuccess: onDone })
      }}
    >
      <Stack gap="sm" pb="md">
        <Text size="sm">
          {t('addTraffic.used', { used: shown(user.usedTrafficBytes), limit: shown(user.trafficLimitBytes) })}
        </Text>
        <NumberField
          label={t('addTraffic.amount')}
          unit="GiB"
          rule={ADDED_GIB_RULE}
          value={gib}
          onChange={setGib}
          data-autofocus
          required
        />
        {hasPeriods && <PeriodChoice isOnce={isChosenOnce} onChange={setOnce} />}
        <Text size="sm" c="dimmed" role="status">
          {taken === undefined
            ? t(isOnce ? 'addTraffic.onceHint' : 'addTraffic.everyHint')
            : t('addTraffic.becomes', { limit: shown(limitAfterAdding(user, taken)) })}
        </Text>
      </Stack>
      <FormFooter action={t('addTraffic.submit')} isBusy={addTraffic.isPending} isDisabled={taken === undefined} />
    </form>
  )
}
