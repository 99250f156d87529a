import { SegmentedControl, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../../ui/inputs/copy-field.tsx'
import { readableBody, type Preview } from '../subscription-preview.rules.ts'
import classes from './subscription-preview.module.css'

/** More than this is copied, not looked at. */
const MAX_SHOWN = 100_000

export function PreviewBody({ preview }: { preview: Preview }) {
  const { t } = useTranslation('subscription-preview')
  const readable = readableBody(preview)
  const [isReadable, setReadable] = useState(true)
  if (preview.body === '')
    return (
      <Text size="sm" c="dimmed">
        {t('body.empty')}
      </Text>
    )
  if (preview.format === 'page')
    return <iframe className={classes['page']} title={t('format.page')} sandbox="" srcDoc={preview.body} />
  const text = isReadable && readable !== undefined ? readable : preview.body
  return (
    <div>
      <div className={classes['bodyHead']}>
        {readable !== undefined && (
          <SegmentedControl
            size="xs"
            aria-label={t('body.form')}
            data={[
              { value: 'readable', label: t('body.readable') },
              { value: 'sent', label: t('body.sent') },
            ]}
            value={isReadable ? 'readable' : 'sent'}
            onChange={(value) => setReadable(value === 'readable')}
          />
        )}
        <CopyButton value={text} label={t('body.copy')} />
      </div>
      <pre className={classes['text']} dir="ltr" tabIndex={0} aria-label={t('tab.body')}>
        {text.slice(0, MAX_SHOWN)}
      </pre>
      {text.length > MAX_SHOWN && (
        <Text size="xs" c="dimmed">
          {t('body.cut')}
        </Text>
      )}
    </div>
  )
}
