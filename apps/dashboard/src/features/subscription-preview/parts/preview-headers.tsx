import { useTranslation } from 'react-i18next'
import { readableHeader, sortHeaders, type Preview } from '../subscription-preview.rules.ts'
import classes from './subscription-preview.module.css'

export function PreviewHeaders({ preview }: { preview: Preview }) {
  const { t } = useTranslation('subscription-preview')
  const { own, common } = sortHeaders(preview.headers)
  return (
    <>
      <Headers headers={own} />
      <details className={classes['common']}>
        <summary>{t('headers.common', { count: common.length })}</summary>
        <Headers headers={common} />
      </details>
    </>
  )
}

function Headers({ headers }: { headers: [string, string][] }) {
  return (
    <dl className={classes['headers']}>
      {headers.map(([name, value]) => {
        const readable = readableHeader(value)
        return (
          <div key={name}>
            <dt dir="ltr">{name}</dt>
            <dd dir="ltr">{value}</dd>
            {readable !== undefined && (
              <dd className={classes['readable']}>
                <bdi>{readable}</bdi>
              </dd>
            )}
          </div>
        )
      })}
    </dl>
  )
}
