import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { compareConfigs } from './config-diff.ts'

/** From a revision to what stands in the editor, in words. */
export function Differences({ before, after }: { before: string; after: string }) {
  const { t } = useTranslation('profile-editor')
  const diff = compareConfigs(before, after)
  if (diff === undefined) return <Text size="sm">{t('diff.unknown')}</Text>
  if (diff.inbounds.length + diff.sections.length === 0) return <Text size="sm">{t('diff.none')}</Text>
  return (
    <ul aria-label={t('diff.title')} style={{ margin: 0, paddingInlineStart: '1.25rem' }}>
      {diff.inbounds.map(({ tag, change, keys }) => (
        <li key={tag}>
          <Text size="sm" component="span">
            {t(`diff.${change}`, { tag, keys: keys.join(', ') })}
          </Text>
        </li>
      ))}
      {diff.sections.length > 0 && (
        <li>
          <Text size="sm" component="span">
            {t('diff.sections', { sections: diff.sections.join(', ') })}
          </Text>
        </li>
      )}
    </ul>
  )
}
