import type { previewResponseRules, Reply } from '@causeway/contract'
import { Checkbox, Text } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './response-rules.module.css'
import { answerWords } from './rule-words.ts'

export type Effects = Reply<typeof previewResponseRules>
type Change = Pick<Effects['apps'][number], 'before' | 'after' | 'isChanged'>

/** Answers to known apps before and after saving. */
export function AppEffects({ effects: { apps } }: { effects: Effects }) {
  const { t } = useTranslation('response-rules')
  const [isAll, setAll] = useState(true)
  const changed = apps.filter(({ isChanged }) => isChanged)
  const shown = isAll ? apps : changed
  return (
    <>
      <div className={classes['summary']}>
        <Text size="sm" role="status">
          {t('apps.changed', { count: changed.length, total: apps.length })}
        </Text>
        <Checkbox
          size="xs"
          label={t('apps.only')}
          checked={!isAll}
          onChange={({ currentTarget }) => setAll(!currentTarget.checked)}
        />
      </div>
      <ul className={classes['effects']} aria-label={t('tab.apps')} tabIndex={0}>
        {shown.map(({ name, platform, userAgent, ...change }) => (
          <li key={userAgent} data-changed={change.isChanged || undefined}>
            <div className={classes['app']} title={userAgent}>
              <bdi>{name}</bdi> <span>{platform}</span>
            </div>
            <ChangeWords change={change} />
          </li>
        ))}
      </ul>
    </>
  )
}

/** Counts users with another answer after saving, by the apps of their kept requests. */
export function UserEffects({ effects: { requests } }: { effects: Effects }) {
  const { t } = useTranslation('response-rules')
  const { changed, users, userAgents } = requests
  return (
    <>
      <Text size="sm" mb="xs" role="status">
        {userAgents === 0 ? t('users.none') : t('users.changed', { count: users })}
      </Text>
      {changed.length > 0 && (
        <ul className={classes['effects']} aria-label={t('tab.users')} tabIndex={0}>
          {changed.map(({ userAgent, users: count, ...change }) => (
            <li key={userAgent} data-changed>
              <div className={classes['app']}>
                <bdi>{userAgent}</bdi> <span>{t('users.of', { count })}</span>
              </div>
              <ChangeWords change={change} />
            </li>
          ))}
        </ul>
      )}
      {userAgents > 0 && (
        <Text size="xs" c="dimmed" mt="xs">
          {t('users.hint')}
        </Text>
      )}
    </>
  )
}

export function ChangeWords({ change: { before, after, isChanged } }: { change: Change }) {
  const { t } = useTranslation('response-rules')
  const will = answerWords(after, t)
  if (!isChanged) return <div className={classes['answer']}>{will}</div>
  return (
    <div className={classes['answer']}>
      <s>{answerWords(before, t)}</s>{' '}
      <IconArrowRight size={14} role="img" aria-label={t('becomes')} className={classes['arrow'] ?? ''} /> <strong>{will}</strong>
    </div>
  )
}
