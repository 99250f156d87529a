import type { PluginConfig } from '@causeway/contract'
import { Button, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { usePreviewPlugin } from './node-plugins.queries.ts'
import classes from './node-plugins.module.css'

/** Users that these filters would shut out, before they are saved. */
export function PluginPreview({ uuid, config }: { uuid: string; config: PluginConfig }) {
  const { t } = useTranslation('node-plugins')
  const preview = usePreviewPlugin()
  const { data } = preview
  return (
    <Stack gap="sm" mb="lg">
      <Text size="sm" c="dimmed">
        {t('preview.hint')}
      </Text>
      <Button variant="default" loading={preview.isPending} onClick={() => preview.mutate({ uuid, pluginConfig: config })}>
        {t('preview.look')}
      </Button>
      <div aria-live="polite">
        {data && (
          <>
            <Text size="sm" fw={600}>
              {data.total === 0 ? t('preview.none') : t('preview.total', { count: data.total })}
            </Text>
            {data.nodesUnread > 0 && (
              <Text size="sm" c="dimmed">
                {t('preview.unread', { count: data.nodesUnread })}
              </Text>
            )}
            <ul className={classes['blocked']} aria-label={t('tab.preview')}>
              {data.blocked.map(({ ip, network, username, userUuid, isConnected, nodes }) => (
                <li key={`${username} ${ip}`}>
                  <Link className={classes['who']!} to="/dashboard/management/users" search={{ edit: userUuid }}>
                    <bdi>{username}</bdi>
                  </Link>
                  <span dir="ltr">
                    {ip} ∈ {network}
                  </span>
                  <span className={classes['note']}>{isConnected ? nodes.join(', ') : t('preview.recorded')}</span>
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </Stack>
  )
}
