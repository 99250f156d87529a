import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { serversOnlyIn, type Preview } from '../subscription-preview.rules.ts'
import { Remark } from './remark.tsx'
import classes from './subscription-preview.module.css'

/** Hosts that the app lists, and missing ones with the reason. */
export function PreviewServers({ preview, other }: { preview: Preview; other: Preview | undefined }) {
  const { t } = useTranslation('subscription-preview')
  const { servers, leftOut, format } = preview
  const only = other && serversOnlyIn(preview, other)
  return (
    <div className={classes['lists']}>
      {servers.length === 0 ? (
        <Text size="sm" c="dimmed">
          {format === 'page' ? t('servers.page') : t('servers.none')}
        </Text>
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a long list is scrolled by keys
        <ol className={classes['servers']} aria-label={t('tab.servers')} tabIndex={0}>
          {servers.map((server, place) => (
            // Two entries may have the same remark.
            <li key={`${place} ${server.remark}`} data-differs={only?.has(place) || undefined}>
              <Remark text={server.remark} />
              {only?.has(place) && <span className={classes['differs']}>{t('compare.only')}</span>}
              <span className={classes['how']} dir="ltr">
                <bdi dir="auto">
                  {server.hostUuid === null && server.port === 1
                    ? t('servers.text')
                    : [server.protocol, server.network, server.security, `${server.address}:${server.port}`]
                        .filter(Boolean)
                        .join(' · ')}
                </bdi>
              </span>
            </li>
          ))}
        </ol>
      )}
      {leftOut.length > 0 && (
        <section aria-label={t('leftOut.title')}>
          <h4>{t('leftOut.counted', { count: leftOut.length })}</h4>
          <ul className={classes['servers']}>
            {leftOut.map(({ hostUuid, remark, reason }) => (
              <li key={hostUuid}>
                <Remark text={remark} />
                <span className={classes['why']}>{t(`leftOut.${reason}`)}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}
