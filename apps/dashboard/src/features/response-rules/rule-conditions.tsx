import { conditionOperators, SHORT_UUID_HEADER, type RuleCondition } from '@causeway/contract'
import { ActionIcon, Autocomplete, Button, Checkbox, Fieldset, Select, Text } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { MachineTextInput } from '../../ui/inputs/inputs.tsx'
import classes from './response-rules.module.css'
import { issueAt, type RuleIssue } from './rules-text.ts'

/** Headers that apps send, and the one that the server adds. */
const HEADERS = [
  'user-agent',
  'accept',
  'accept-language',
  'x-hwid',
  'x-device-os',
  'x-ver-os',
  'x-device-model',
  'x-app-version',
  SHORT_UUID_HEADER,
]
/** In lower case these mean the opposite. */
const UPPER_CLASSES = /\\[SDWB]/

interface Props {
  conditions: readonly RuleCondition[]
  issues: readonly RuleIssue[]
  onChange: (conditions: RuleCondition[]) => void
}

/** The conditions of a rule on headers of the request. */
export function RuleConditions({ conditions, issues, onChange }: Props) {
  const { t } = useTranslation('response-rules')
  const put = (place: number, part: Partial<RuleCondition>) =>
    onChange(conditions.map((condition, other) => (other === place ? { ...condition, ...part } : condition)))
  return (
    <Fieldset legend={t('field.conditions')}>
      {conditions.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('always')}
        </Text>
      )}
      {conditions.map(({ headerName, operator, value, caseSensitive }, place) => (
        // oxlint-disable-next-line react/no-array-index-key -- conditions have no identity of their own
        <div key={place} className={classes['condition']} role="group" aria-label={t('condition', { number: place + 1 })}>
          <Autocomplete
            label={t('field.header')}
            dir="ltr"
            spellCheck={false}
            data={HEADERS}
            value={headerName}
            error={issueAt(issues, 'conditions', place, 'headerName')}
            onChange={(name) => put(place, { headerName: name })}
          />
          <Select
            label={t('field.comparison')}
            allowDeselect={false}
            data={conditionOperators.map((each) => ({ value: each, label: t(`comparison.${each}`) }))}
            value={operator}
            onChange={(next) => put(place, { operator: conditionOperators.find((each) => each === next) ?? operator })}
          />
          <MachineTextInput
            label={t('field.value')}
            className={classes['wide'] ?? ''}
            maxLength={255}
            value={value}
            error={issueAt(issues, 'conditions', place, 'value')}
            description={
              !caseSensitive && operator.endsWith('REGEX') && UPPER_CLASSES.test(value) ? t('lowerClasses') : undefined
            }
            onChange={({ currentTarget }) => put(place, { value: currentTarget.value })}
          />
          <Checkbox
            label={t('field.caseSensitive')}
            checked={caseSensitive}
            onChange={({ currentTarget }) => put(place, { caseSensitive: currentTarget.checked })}
          />
          <ActionIcon
            className={classes['remove'] ?? ''}
            aria-label={t('removeCondition', { number: place + 1 })}
            onClick={() => onChange(conditions.toSpliced(place, 1))}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      <Button
        mt="sm"
        size="compact-sm"
        variant="default"
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={() =>
          onChange([...conditions, { headerName: 'user-agent', operator: 'CONTAINS', value: '', caseSensitive: false }])
        }
      >
        {t('addCondition')}
      </Button>
    </Fieldset>
  )
}
