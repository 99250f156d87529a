import { Button } from '@mantine/core'
import { IconAdjustments } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { EditOpen } from '../../api/edit-frame.tsx'
import { lazyPart } from '../../lib/fetch-code.ts'
import { LoadingRows } from '../../ui/frames/states.tsx'
import { PageHeader } from '../../ui/frames/page-header.tsx'
import { HistoryLink } from '../history/parts/history-item.tsx'
import { rulesQuery } from './response-rules.queries.ts'

// A chunk of its own: the names of its files are then not among those of the first load.
const RulesEditor = lazyPart(async () => (await import('./rules-editor.tsx')).RulesEditor)

export default function ResponseRulesPage() {
  const { t } = useTranslation('response-rules')
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={
          <>
            <HistoryLink action="updateSubscriptionSettings" />
            <Button
              variant="default"
              leftSection={<IconAdjustments size={16} aria-hidden />}
              renderRoot={(props) => <Link to="/dashboard/management/subscription-settings" {...props} />}
            >
              {t('settings')}
            </Button>
          </>
        }
      />
      <Suspense fallback={<LoadingRows />}>
        <EditOpen read={rulesQuery()}>{(opened) => <RulesEditor key={opened.entity.uuid} opened={opened} />}</EditOpen>
      </Suspense>
    </>
  )
}
