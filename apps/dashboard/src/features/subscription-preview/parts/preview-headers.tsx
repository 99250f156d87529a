import { useTranslation } from 'react-i18next'
import { headerDifference, readableHeader, sortHeaders, type Preview } from '../subscription-preview.rules.ts'
import classes from './subscription-preview.module.css'

interface Props {
  preview: Preview
  other: Preview | undefined
}

export function PreviewHeaders({ preview, other }: Props) {
  const { t } = useTranslation('subscription-preview')
  const { own, common } = sortHeaders(preview.headers)
  return (
    <>
      <Headers headers={own} other={other} />
      <details className={classes['common']}>
        <summary>{t('headers.common', { count: common.length })}</summary>
        <Headers headers={common} other={other} />
      </details>
    </>
  )
}

function Headers({ headers, other }: { headers: [string, string][]; other: Preview | undefined }) {
  const { t } = useTranslation('subscription-preview')
  return (
    <dl className={classes['headers']}>
      {headers.map(([name, value]) => {
        const readable = readableHeader(value)
        const difference = other && headerDifference(name, value, other)
        return (
          <div key={name} data-differs={difference && true}>
            <dt dir="ltr">
              {name}
              {difference && <span className={classes['differs']}>{t(`compare.${difference}`)}</span>}
            </dt>
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
