import { useTranslation } from 'react-i18next'
import classes from './loading-bar.module.css'

/** Two pixels across the whole page, with a word when it takes longer. */
export function LoadingBar({ text }: { text?: string }) {
  const { t } = useTranslation('ui')
  return (
    <div className={classes['page']} role="progressbar" aria-label={text ?? t('loading')}>
      <div className={classes['bar']} />
      {text !== undefined && <p className={classes['text']}>{text}</p>}
    </div>
  )
}
