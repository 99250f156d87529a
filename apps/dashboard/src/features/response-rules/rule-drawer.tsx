import { responseTypes, type ResponseRule, type ResponseType } from '@causeway/contract'
import { Button, SegmentedControl, Select, Stack, Textarea, TextInput, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { DrawerFrame, FrameFooter } from '../../ui/frames/frames.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { RuleConditions } from './rule-conditions.tsx'
import { RuleModificationFields } from './rule-modifications.tsx'
import { issueAt, issuesOfRule, type RuleIssue } from './rules-text.ts'

const WIDTH = 640

interface Props {
  rules: readonly ResponseRule[]
  issues: readonly RuleIssue[]
  onChange: (place: number, rule: ResponseRule) => void
}

/** The fields of one rule. Each change stands in the rules at once, and is saved with them. */
export function RuleDrawer({ rules, issues, onChange }: Props) {
  const { t } = useTranslation('response-rules')
  const dialog = useDialog('rule')
  const place = Number(dialog.value ?? Number.NaN)
  const rule = rules[place]
  return (
    <DrawerFrame isOpen={rule !== undefined} onClose={dialog.close} title={t('ruleTitle', { number: place + 1 })} width={WIDTH}>
      {rule && (
        <RuleFields
          rule={rule}
          issues={issuesOfRule(issues, place)}
          onChange={(next) => onChange(place, next)}
          onClose={dialog.close}
        />
      )}
    </DrawerFrame>
  )
}

interface FieldsProps {
  rule: ResponseRule
  issues: readonly RuleIssue[]
  onChange: (rule: ResponseRule) => void
  onClose: () => void
}

function RuleFields({ rule, issues, onChange, onClose }: FieldsProps) {
  const { t } = useTranslation('response-rules')
  const { description: _, ...plain } = rule
  return (
    <Stack gap="md">
      <TextInput
        data-autofocus
        label={t('field.name')}
        dir="auto"
        maxLength={50}
        value={rule.name}
        error={issueAt(issues, 'name')}
        onChange={({ currentTarget }) => onChange({ ...rule, name: currentTarget.value })}
      />
      <Textarea
        label={t('field.description')}
        dir="auto"
        autosize
        maxLength={250}
        value={rule.description ?? ''}
        error={issueAt(issues, 'description')}
        onChange={({ currentTarget: { value } }) => onChange(value === '' ? plain : { ...rule, description: value })}
      />
      <div>
        <Text size="sm" fw={500} id="rule-operator">
          {t('field.operator')}
        </Text>
        <SegmentedControl
          mt={4}
          aria-labelledby="rule-operator"
          disabled={rule.conditions.length < 2}
          data={[
            { value: 'AND', label: t('all') },
            { value: 'OR', label: t('any') },
          ]}
          value={rule.operator}
          onChange={(operator) => onChange({ ...rule, operator: operator === 'OR' ? 'OR' : 'AND' })}
        />
      </div>
      <RuleConditions conditions={rule.conditions} issues={issues} onChange={(conditions) => onChange({ ...rule, conditions })} />
      <Select
        label={t('field.responseType')}
        allowDeselect={false}
        data={responseTypes.map((value) => ({ value, label: t(`type.${value}`) }))}
        value={rule.responseType}
        onChange={(type) =>
          onChange({
            ...rule,
            responseType: responseTypes.find((each): each is ResponseType => each === type) ?? rule.responseType,
          })
        }
      />
      <RuleModificationFields rule={rule} issues={issues} onChange={onChange} />
      <FrameFooter>
        <Button onClick={onClose}>{t('done')}</Button>
      </FrameFooter>
    </Stack>
  )
}
