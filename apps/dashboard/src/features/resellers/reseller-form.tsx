import type { Reseller } from '@causeway/contract'
import { MultiSelect, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { bytesToGib, GIB_RULE, gibToBytes } from '../../lib/numbers/bytes.ts'
import { numberOf, numberProblem, type NumberEntry, type NumberRule } from '../../lib/numbers/number-entry.ts'
import { FormFooter, useFrameDirty } from '../../ui/frames/frames.tsx'
import { NumberField } from '../../ui/inputs/number-field.tsx'
import { internalSquadsQuery } from '../internal-squads/internal-squads.queries.ts'
import { useCreateReseller, useUpdateReseller } from './resellers.queries.ts'

const USERS_RULE: NumberRule = { decimals: 0, min: 0, max: 100_000_000 }
const DAYS_RULE: NumberRule = { decimals: 0, min: 1, max: 36_500 }

/** Name, squads and bounds; an empty bound bounds nothing. */
export function ResellerForm({ reseller, onDone }: { reseller: Reseller | undefined; onDone: () => void }) {
  const { t } = useTranslation('admins')
  const { data } = useQuery(internalSquadsQuery())
  const [name, setName] = useState(reseller?.name ?? '')
  const [squads, setSquads] = useState(reseller?.squads.map(({ uuid }) => uuid) ?? [])
  const [maxUsers, setMaxUsers] = useState<NumberEntry>(reseller?.maxUsers ?? '')
  const [maxGib, setMaxGib] = useState<NumberEntry>(
    reseller === undefined || reseller.maxBytes === null ? '' : bytesToGib(reseller.maxBytes),
  )
  const [maxDays, setMaxDays] = useState<NumberEntry>(reseller?.maxDays ?? '')
  const [create, update] = [useCreateReseller(), useUpdateReseller()]
  const isSaved = create.isSuccess || update.isSuccess
  useFrameDirty((name !== (reseller?.name ?? '') || squads.length !== (reseller?.squads.length ?? 0)) && !isSaved)
  const isWrong = [numberProblem(maxUsers, USERS_RULE), numberProblem(maxGib, GIB_RULE), numberProblem(maxDays, DAYS_RULE)].some(
    (problem) => problem !== undefined,
  )
  const isIncomplete = name.trim() === '' || squads.length === 0 || isWrong

  function save(): void {
    const gib = numberOf(maxGib)
    const fields = {
      name: name.trim(),
      squads,
      maxUsers: numberOf(maxUsers) ?? null,
      maxBytes: gib === undefined ? null : gibToBytes(gib),
      maxDays: numberOf(maxDays) ?? null,
    }
    if (reseller) update.mutate({ uuid: reseller.uuid, ...fields }, { onSuccess: onDone })
    else create.mutate(fields, { onSuccess: onDone })
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!isIncomplete) save()
      }}
    >
      <Stack gap="md" mb="lg">
        <TextInput
          label={t('reseller.name')}
          required
          data-autofocus
          maxLength={60}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <MultiSelect
          label={t('reseller.squads')}
          description={t('reseller.squadsHint')}
          required
          searchable
          data={(data?.internalSquads ?? []).map((squad) => ({ value: squad.uuid, label: squad.name }))}
          value={squads}
          onChange={setSquads}
        />
        <NumberField
          label={t('reseller.maxUsers')}
          placeholder={t('reseller.noBound')}
          rule={USERS_RULE}
          value={maxUsers}
          onChange={setMaxUsers}
        />
        <NumberField
          label={t('reseller.maxBytes')}
          description={t('reseller.maxBytesHint')}
          placeholder={t('reseller.noBound')}
          unit="GiB"
          rule={GIB_RULE}
          value={maxGib}
          onChange={setMaxGib}
        />
        <NumberField
          label={t('reseller.maxDays')}
          placeholder={t('reseller.noBound')}
          rule={DAYS_RULE}
          value={maxDays}
          onChange={setMaxDays}
        />
      </Stack>
      <FormFooter
        action={reseller ? t('role.save') : t('reseller.create')}
        isBusy={create.isPending || update.isPending}
        isDisabled={isIncomplete}
      />
    </form>
  )
}
