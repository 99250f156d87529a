import type { LeftOver } from '@causeway/contract'
import { useTranslation } from 'react-i18next'
import { fieldLabel } from './history-words.ts'
import classes from './history.module.css'

/** What stays as it is, each with the reason. */
export function LeftThings({ title, left }: { title: string; left: readonly LeftOver[] }) {
  const { t, i18n } = useTranslation('history')
  const words = { t, exists: (key: string) => i18n.exists(key) }
  return (
    <section aria-label={title}>
      <h3 className={classes['thing']}>{title}</h3>
      <ul className={classes['left']}>
        {left.map(({ table, name, field, reason }, index) => (
          <li key={index}>
            {t(`table.${table}`, { defaultValue: table })}
            {name !== null && (
              <>
                {' '}
                <bdi>{name}</bdi>
              </>
            )}
            {field !== null && reason !== 'referenceGone' && `, ${fieldLabel(words, table, field)}`}: {t(`reason.${reason}`)}
          </li>
        ))}
      </ul>
    </section>
  )
}
