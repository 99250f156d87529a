import { PAGE_LANGUAGES, type PageConfig, type PageLanguage, type PagePlatform } from '@causeway/contract'
import { SegmentedControl, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatBytes } from '../../lib/numbers/bytes.ts'
import { forPreview } from './page-editor.rules.ts'
import { previewQuery } from './subscription-page.queries.ts'
import classes from './subscription-page.module.css'

const PAUSE_MS = 400

/** The page as a subscriber would see it on a phone. The server makes it like the real one, and nothing in it can run. */
export function PagePreview({ config, platform }: { config: PageConfig; platform: PagePlatform }) {
  const { t, i18n } = useTranslation('subscription-page')
  const [language, setLanguage] = useState<PageLanguage>('en')
  const [settled] = useDebouncedValue(config, PAUSE_MS)
  const preview = useQuery(previewQuery(forPreview(settled), language, platform))
  return (
    <section aria-label={t('preview')} className={classes['preview']}>
      <SegmentedControl
        fullWidth
        aria-label={t('previewLanguage')}
        value={language}
        onChange={(value) => setLanguage(PAGE_LANGUAGES.find((one) => one === value) ?? 'en')}
        data={PAGE_LANGUAGES.map((one) => ({ value: one, label: t(`language.${one}`) }))}
        mb="xs"
      />
      <iframe
        className={classes['phone']}
        title={t('preview')}
        sandbox=""
        srcDoc={preview.data?.html ?? ''}
        data-language={language}
      />
      <Text size="xs" c="dimmed" mt={4} aria-live="polite">
        {preview.isError
          ? preview.error.message
          : preview.data && t('weight', { size: formatBytes(preview.data.bytes, i18n.language) })}
      </Text>
    </section>
  )
}
