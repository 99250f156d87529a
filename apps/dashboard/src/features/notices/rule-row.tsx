import type { NoticeRule, NoticeWay } from '@causeway/contract'
import { Menu, Switch } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { RelativeTime } from '../../ui/calendar/relative-time.tsx'
import { DeleteItem } from '../../ui/delete-item.tsx'
import { useConfirmDelete } from '../../ui/frames/confirm.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { RowMenu } from '../../ui/rows/row-menu.tsx'
import { HistoryItem } from '../history/parts/history-item.tsx'
import { useNoticeActions } from './notices.queries.ts'
import { useRuleWords } from './use-rule-words.ts'
import classes from './notices.module.css'

/** A rule as a sentence, with receivers and limits. */
export function RuleRow({ rule, ways }: { rule: NoticeRule; ways: readonly NoticeWay[] }) {
  const { t } = useTranslation('notices')
  const words = useRuleWords()
  const { switchRule } = useNoticeActions()
  const names = ways.filter(({ uuid }) => rule.ways.includes(uuid)).map(({ name }) => name)
  const sentence = words.sentence(rule)
  return (
    <li className={classes['rule']} aria-label={sentence}>
      <Switch
        aria-label={t('rule.switch', { rule: sentence })}
        checked={!rule.isPaused}
        disabled={switchRule.isPending}
        onChange={(change) => switchRule.mutate({ uuid: rule.uuid, isPaused: !change.currentTarget.checked })}
      />
      <div className={classes['ruleWords']}>
        <div className={classes['ruleSentence']}>{sentence}</div>
        <div className={classes['note']}>
          {names.length === 0 ? <span className={classes['error']}>{t('rule.noWay')}</span> : <bdi>{names.join(', ')}</bdi>}
          {words.limits(rule).map((limit) => (
            <span key={limit}> · {limit}</span>
          ))}
          {rule.lastAt !== null && (
            <span>
              {' · '}
              {t('rule.last')} <RelativeTime at={rule.lastAt} />
            </span>
          )}
          {rule.isFromEnvironment && <span> · {t('rule.fromEnvironment')}</span>}
        </div>
      </div>
      <RuleMenu rule={rule} name={sentence} />
    </li>
  )
}

function RuleMenu({ rule: { uuid, isFromEnvironment: isFixed }, name }: { rule: NoticeRule; name: string }) {
  const { t } = useTranslation('notices')
  const { t: ui } = useTranslation('ui')
  const confirmDelete = useConfirmDelete()
  const dialog = useDialog('rule')
  const { removeRule } = useNoticeActions()

  async function askToDelete(): Promise<void> {
    if (await confirmDelete(t('rule.deleteTitle'), t('rule.deleteBody', { rule: name }))) removeRule.mutate({ uuid })
  }
  return (
    <RowMenu label={t('more', { name })} isBusy={removeRule.isPending}>
      <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} disabled={isFixed} onClick={() => dialog.open(uuid)}>
        {ui('edit')}
      </Menu.Item>
      {!isFixed && <HistoryItem target={uuid} />}
      {!isFixed && <DeleteItem onDelete={() => void askToDelete()} />}
    </RowMenu>
  )
}
