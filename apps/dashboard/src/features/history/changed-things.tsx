import type { ChangedThing } from '@causeway/contract'
import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CodeDiff } from '../../ui/editor/code-editor.tsx'
import { fieldLabel, valueText } from './history-words.ts'
import classes from './history.module.css'

interface Props {
  things: readonly ChangedThing[]
  total: number
  /** It has not happened yet. */
  isPlan?: boolean
}

/** Things that differ, field by field, in the words of the forms. */
export function ChangedThings({ things, total, isPlan = false }: Props) {
  const { t } = useTranslation('history')
  if (things.length === 0) return <Text size="sm">{t('entry.nothing')}</Text>
  return (
    <>
      {total > things.length && <Text size="sm">{t('entry.more', { number: total })}</Text>}
      <ul className={classes['things']}>
        {things.map((thing, index) => (
          <Thing key={index} thing={thing} isPlan={isPlan} />
        ))}
      </ul>
    </>
  )
}

function Thing({ thing, isPlan }: { thing: ChangedThing; isPlan: boolean }) {
  const { t, i18n } = useTranslation('history')
  const words = { t, exists: (key: string) => i18n.exists(key) }
  const { table, name, change, fields } = thing
  return (
    <li>
      <h3 className={classes['thing']}>
        {t(`table.${table}`, { defaultValue: table })} {name !== null && <bdi>{name}</bdi>}{' '}
        <span className={classes['change']}>{t(isPlan ? `undo.change.${change}` : `change.${change}`)}</span>
      </h3>
      <dl className={classes['fields']}>
        {fields.map((field) => {
          const label = fieldLabel(words, table, field.name)
          return (
            <div key={field.name} data-text={field.isText || undefined}>
              <dt>{label}</dt>
              <dd>
                {field.isSecret && <em>{t(change === 'changed' ? 'entry.secret' : 'entry.hidden')}</em>}
                {field.isText && (
                  <CodeDiff
                    label={label}
                    language={field.name === 'templateYaml' ? 'yaml' : 'json'}
                    before={textOf(field.before)}
                    after={textOf(field.after)}
                    height={320}
                  />
                )}
                {!field.isSecret && !field.isText && <Values table={table} field={field} change={change} />}
              </dd>
            </div>
          )
        })}
      </dl>
    </li>
  )
}

interface ValuesProps {
  table: string
  field: ChangedThing['fields'][number]
  change: ChangedThing['change']
}

function Values({ table, field, change }: ValuesProps) {
  const { t, i18n } = useTranslation('history')
  const words = { t, exists: (key: string) => i18n.exists(key) }
  const [before, after] = [field.before, field.after].map((value) =>
    valueText(words, i18n.language, { table, name: field.name }, value),
  )
  if (change === 'added') return <bdi>{after}</bdi>
  if (change === 'removed') return <bdi>{before}</bdi>
  return (
    <>
      <del title={t('entry.before')}>
        <bdi>{before}</bdi>
      </del>{' '}
      <ins title={t('entry.after')}>
        <bdi>{after}</bdi>
      </ins>
    </>
  )
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
