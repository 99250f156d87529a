import { deleteNoticeRule, type NoticeRule, type NoticeWay } from '@causeway/contract'
import { Menu, Switch } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { May } from '../../api/rights/may.tsx'
import { RelativeTime } from '../../ui/calendar/relative-time.tsx'
import { DeleteItem } from '../../ui/delete-item.tsx'
import { useConfirmDelete } from '../../ui/frames/confirm.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { RowMenu } from '../../ui/rows/row-menu.tsx'
import { HistoryItem } from '../history/parts/history-item.tsx'
import { AddressNodes } from './address-nodes.tsx'
import { HeldText } from './held-text.tsx'
import { useNoticeActions } from './notices.queries.ts'
import { labelOf } from './notices.rules.ts'
import { useRuleWords } from './use-rule-words.ts'
import classes from './notices.module.css'

/** A rule as a sentence, with receivers and limits. */
export function RuleRow({ rule, ways }: { rule: NoticeRule; ways: readonly NoticeWay[] }) {
  const { t } = useTranslation('notices')
  const words = useRuleWords()
  const { switchRule } = useNoticeActions()
  const names = ways.filter(({ uuid }) => rule.ways.includes(uuid)).map((way) => labelOf(way, ways))
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
          {names.length === 0 ? <span className={classes['error']}>{t('rule.noWay')}</span> : <Names names={names} />}
          {words.limits(rule).map((limit) => (
            <span key={limit}> · {limit}</span>
          ))}
          {rule.condition === 'manyAddresses' && (
            <>
              {' · '}
              <AddressNodes />
            </>
          )}
          {rule.lastAt !== null && (
            <span>
              {' · '}
              {t('rule.last')} <RelativeTime at={rule.lastAt} />
            </span>
          )}
          {rule.isFromEnvironment && <span> · {t('rule.fromEnvironment')}</span>}
        </div>
        {rule.held !== null && (
          <div className={classes['note']}>
            <HeldText held={rule.held} />
          </div>
        )}
      </div>
      <RuleMenu rule={rule} name={sentence} />
    </li>
  )
}

/** Each of its own direction. */
function Names({ names }: { names: readonly string[] }) {
  return names.map((name, place) => (
    <Fragment key={`${place} ${name}`}>
      {place > 0 && ', '}
      <bdi>{name}</bdi>
    </Fragment>
  ))
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
      {!isFixed && (
        <May call={deleteNoticeRule}>
          <DeleteItem onDelete={() => void askToDelete()} />
        </May>
      )}
    </RowMenu>
  )
}
