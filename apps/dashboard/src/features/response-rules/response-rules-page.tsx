import { Button } from '@mantine/core'
import { IconAdjustments } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { EditOpen } from '../../api/edit-frame.tsx'
import { PageHeader } from '../../ui/frames/page-header.tsx'
import { HistoryLink } from '../history/parts/history-item.tsx'
import { rulesQuery } from './response-rules.queries.ts'
import { RulesEditor } from './rules-editor.tsx'

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
      <EditOpen read={rulesQuery()}>{(opened) => <RulesEditor key={opened.entity.uuid} opened={opened} />}</EditOpen>
    </>
  )
}
