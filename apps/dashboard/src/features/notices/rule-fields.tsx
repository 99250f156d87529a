import { amountOf, noticeDigest, type NoticeWay } from '@causeway/contract'
import { MultiSelect, Select, Stack, Switch, Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import type { NumberRule } from '../../lib/numbers/number-entry.ts'
import { NumberField } from '../../ui/inputs/number-field.tsx'
import { AddressNodes } from './address-nodes.tsx'
import { CONDITION_GROUPS, inOrder, labelOf } from './notices.rules.ts'
import { usual, type RuleForm } from './rule-form.ts'
import classes from './notices.module.css'

const RATE_RULE: NumberRule = { decimals: 0, min: 1, max: 1000 }
const USUAL_NIGHT = { from: '22:00', to: '08:00' }
const MOST_SHOWN = 100

interface Props {
  form: UseFormReturnType<RuleForm>
  ways: readonly NoticeWay[]
  /** The condition of a rule that exists stays. */
  isNew?: boolean
}

/** A rule from its condition to its limits, each in words. */
export function RuleFields({ form, ways, isNew = false }: Props) {
  const { t } = useTranslation('notices')
  const { condition, digest } = form.values
  const bounds = amountOf(condition)
  return (
    <Stack gap="md" mb="lg">
      <Select
        label={t('field.condition')}
        allowDeselect={false}
        searchable
        disabled={!isNew}
        data-autofocus={isNew}
        data={CONDITION_GROUPS.map(({ group, conditions }) => ({
          group: t(`group.${group}`),
          items: conditions.map((value) => ({ value, label: t(`condition.${value}`) })),
        }))}
        value={condition}
        onChange={(value) => {
          const [next] = value === null ? [] : inOrder([value])
          if (next !== undefined) form.setValues({ ...usual(next) })
        }}
      />
      {bounds !== null && (
        <NumberField
          label={t(`amount.${bounds.unit}`)}
          rule={{ decimals: 0, min: bounds.least, max: bounds.most }}
          required
          {...form.getInputProps('amount')}
        />
      )}
      {condition === 'manyAddresses' && (
        <Text size="xs" c="dimmed">
          <AddressNodes isExplained />
        </Text>
      )}
      <MultiSelect
        label={t('field.ways')}
        description={t('field.waysHint')}
        data={ways.map((way) => ({ value: way.uuid, label: labelOf(way, ways) }))}
        {...form.getInputProps('ways')}
        // One that was deleted stays in the rule and has no name.
        value={form.values.ways.filter((uuid) => ways.some((way) => way.uuid === uuid))}
      />
      <Select
        label={t('field.digest')}
        description={t('field.digestHint')}
        allowDeselect={false}
        data={noticeDigest.options.map((value) => ({ value, label: t(`digest.${value}`) }))}
        {...form.getInputProps('digest')}
      />
      {digest === 'none' && (
        <NumberField
          label={t('field.mostPerHour')}
          description={t('field.mostPerHourHint')}
          rule={RATE_RULE}
          {...form.getInputProps('mostPerHour')}
        />
      )}
      <QuietFields form={form} />
    </Stack>
  )
}

function QuietFields({ form }: Pick<Props, 'form'>) {
  const { t } = useTranslation('notices')
  const { quietFrom, quietTo, digest } = form.values
  const isQuiet = quietFrom !== '' || quietTo !== ''
  return (
    <>
      <Switch
        label={t('field.quiet')}
        description={t('field.quietHint')}
        checked={isQuiet}
        onChange={(change) =>
          form.setValues(
            change.currentTarget.checked
              ? { quietFrom: USUAL_NIGHT.from, quietTo: USUAL_NIGHT.to }
              : { quietFrom: '', quietTo: '' },
          )
        }
      />
      {isQuiet && (
        <div className={classes['pair']}>
          <TextInput label={t('field.quietFrom')} type="time" {...form.getInputProps('quietFrom')} />
          <TextInput label={t('field.quietTo')} type="time" {...form.getInputProps('quietTo')} />
        </div>
      )}
      {(isQuiet || digest === 'daily') && (
        <Select
          label={t('field.zone')}
          placeholder={t('field.zoneUsual')}
          data={['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]}
          searchable
          clearable
          limit={MOST_SHOWN}
          {...form.getInputProps('zone')}
        />
      )}
      {isQuiet && (
        <Text size="xs" c="dimmed">
          {t('field.quietAfter')}
        </Text>
      )}
    </>
  )
}
