import { SegmentedControl, Text } from '@mantine/core'
import { Fragment, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../../ui/inputs/copy-field.tsx'
import { comparedLines, readableBody, type Preview } from '../subscription-preview.rules.ts'
import classes from './subscription-preview.module.css'

/** More than this is copied, not looked at. */
const MAX_SHOWN = 100_000

export function PreviewBody({ preview, other }: { preview: Preview; other: Preview | undefined }) {
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
  const shown = text.slice(0, MAX_SHOWN)
  // Bodies of two formats have no line in common.
  const isLike = other?.format === preview.format
  const otherText = isLike ? ((isReadable ? readableBody(other) : undefined) ?? other.body) : undefined
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
        {otherText === undefined ? shown : <MarkedLines text={shown} other={otherText} />}
      </pre>
      {text.length > MAX_SHOWN && (
        <Text size="xs" c="dimmed">
          {t('body.cut')}
        </Text>
      )}
    </div>
  )
}

/** The lines of a body, those marked that the other one lacks. */
function MarkedLines({ text, other }: { text: string; other: string }) {
  return comparedLines(text, other).map(({ line, isOnlyHere }, place) => (
    // Lines have no identity but their place.
    // oxlint-disable-next-line react/no-array-index-key
    <Fragment key={place}>
      {isOnlyHere ? <mark>{line}</mark> : line}
      {'\n'}
    </Fragment>
  ))
}
