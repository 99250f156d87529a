import { useTranslation } from 'react-i18next'
import { countInvisible } from '../subscription-preview.rules.ts'
import classes from './subscription-preview.module.css'

/** A remark as apps show it; what cannot be seen of it is said. */
export function Remark({ text }: { text: string }) {
  const { t } = useTranslation('subscription-preview')
  const count = countInvisible(text)
  return (
    <span className={classes['remark']}>
      <bdi>{text}</bdi>
      {count > 0 && <small>{t('invisible', { count })}</small>}
    </span>
  )
}
