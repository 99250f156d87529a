import type { ResponseRule, ResponseRules } from '@causeway/contract'
import { Button, Group, Menu, Switch, Text, UnstyledButton } from '@mantine/core'
import { IconAlertTriangle, IconCopy, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { RowMenu } from '../../ui/rows/row-menu.tsx'
import { SortableList, SortableRow, type RowPlace } from '../../ui/rows/sortable-list.tsx'
import classes from './response-rules.module.css'
import { modificationWords, whenWords } from './rule-words.ts'
import { duplicateRule, issuesOfRule, newRule, type RuleIssue } from './rules-text.ts'

const ROW_HEIGHT = 84
const OVERSCAN = 10

interface Props {
  rules: ResponseRules
  issues: readonly RuleIssue[]
  /** Rules, from 0, whose template there is not. */
  missingTemplates: ReadonlySet<number>
  onChange: (rules: ResponseRules) => void
}

/** The rules as sentences in their order: the first that applies decides. */
export function RulesList({ rules: whole, issues, missingTemplates, onChange }: Props) {
  const { t } = useTranslation('response-rules')
  const edit = useDialog('rule')
  const { rules } = whole
  const put = (next: ResponseRule[]) => onChange({ ...whole, rules: next })
  const items = withIds(rules)

  function add(): void {
    put([...rules, newRule(rules, t('newRule'))])
    edit.open(String(rules.length))
  }
  return (
    <section aria-label={t('sentences')}>
      <Switch
        mb="md"
        label={t('blockPaths')}
        description={t('blockPathsHint')}
        checked={whole.settings?.disableSubscriptionAccessByPath === true}
        onChange={({ currentTarget }) => onChange(withPathsBlocked(whole, currentTarget.checked))}
      />
      {issues
        .filter(({ path }) => path[0] !== 'rules' || path.length < 2)
        .map(({ message }) => (
          <Problem key={message} text={message} />
        ))}
      <SortableList
        label={t('title')}
        items={items}
        nameOf={({ rule }) => rule.name}
        rowHeight={ROW_HEIGHT}
        overscan={OVERSCAN}
        onMove={(moved) => put(moved.map(({ rule }) => rule))}
      >
        {({ uuid, rule }, place) => (
          <RuleRow
            key={uuid}
            id={uuid}
            rule={rule}
            place={place}
            problems={issuesOfRule(issues, place.index)}
            hasTemplate={!missingTemplates.has(place.index)}
            onOpen={() => edit.open(String(place.index))}
            onChange={(next) => put(rules.with(place.index, next))}
            onDuplicate={() => put(duplicateRule(rules, place.index))}
            onDelete={() => put(rules.toSpliced(place.index, 1))}
          />
        )}
      </SortableList>
      <Text size="sm" c="dimmed" mt="sm">
        {t('rest')}
      </Text>
      <Button mt="sm" variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={add}>
        {t('add')}
      </Button>
    </section>
  )
}

/** A rule is known by its name; of equal ones, which are refused, by their number as well. */
function withIds(rules: readonly ResponseRule[]): { uuid: string; rule: ResponseRule }[] {
  const seen = new Map<string, number>()
  return rules.map((rule) => {
    const number = (seen.get(rule.name) ?? 0) + 1
    seen.set(rule.name, number)
    return { uuid: `${rule.name} ${number}`, rule }
  })
}

function withPathsBlocked({ version, rules }: ResponseRules, isBlocked: boolean): ResponseRules {
  return isBlocked ? { version, settings: { disableSubscriptionAccessByPath: true }, rules } : { version, rules }
}

interface RowProps {
  id: string
  rule: ResponseRule
  place: RowPlace
  problems: readonly RuleIssue[]
  hasTemplate: boolean
  onOpen: () => void
  onChange: (rule: ResponseRule) => void
  onDuplicate: () => void
  onDelete: () => void
}

function RuleRow({ id, rule, place, problems, hasTemplate, onOpen, onChange, onDuplicate, onDelete }: RowProps) {
  const { t } = useTranslation('response-rules')
  const { name } = rule
  const adds = modificationWords(rule.responseModifications ?? {}, t)
  return (
    <SortableRow
      id={id}
      place={place}
      moveLabel={t('move', { name })}
      isMeasured
      className={classes['rule']}
      data={{ 'data-off': !rule.enabled || undefined }}
      onOpen={onOpen}
    >
      {(handle) => (
        <>
          {handle}
          <div className={classes['words']}>
            <div className={classes['name']}>
              <span className={classes['number']}>{place.index + 1}</span>
              <UnstyledButton fw={600} fz="sm" dir="auto" onClick={onOpen}>
                {name || t('nameless')}
              </UnstyledButton>
            </div>
            <div className={classes['sentence']}>
              {whenWords(rule, t)} <strong>{t(`type.${rule.responseType}`)}</strong>
              {adds.length > 0 && <span className={classes['adds']}> · {adds.join(' · ')}</span>}
            </div>
            {rule.description !== undefined && (
              <div className={classes['description']} dir="auto">
                {rule.description}
              </div>
            )}
            {problems.map(({ path, message }) => (
              <Problem key={path.join('.')} text={message} />
            ))}
            {!hasTemplate && (
              <Problem text={t('missingTemplate', { name: rule.responseModifications?.subscriptionTemplate ?? '' })} isWarning />
            )}
          </div>
          <Group gap={4} wrap="nowrap">
            <Switch
              aria-label={t('enabled', { name })}
              checked={rule.enabled}
              onChange={({ currentTarget }) => onChange({ ...rule, enabled: currentTarget.checked })}
            />
            <RowMenu label={t('actions', { name })} isBusy={false}>
              <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={onOpen}>
                {t('edit')}
              </Menu.Item>
              <Menu.Item leftSection={<IconCopy size={16} aria-hidden />} onClick={onDuplicate}>
                {t('duplicate')}
              </Menu.Item>
              <Menu.Item color="red" leftSection={<IconTrash size={16} aria-hidden />} onClick={onDelete}>
                {t('delete')}
              </Menu.Item>
            </RowMenu>
          </Group>
        </>
      )}
    </SortableRow>
  )
}

function Problem({ text, isWarning = false }: { text: string; isWarning?: boolean }) {
  return (
    <div className={classes['problem']} data-warning={isWarning || undefined} role="note">
      <IconAlertTriangle size={16} aria-hidden />
      <span dir="auto">{text}</span>
    </div>
  )
}
