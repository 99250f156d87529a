import { Center, Group, Loader, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { useEffect, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { EditOpen } from '../../api/edit-frame.tsx'
import { showError } from '../../api/toasts.ts'
import { ErrorState } from '../../ui/frames/states.tsx'
import { templateQuery } from './subscription-templates.queries.ts'
import { templateTypeAt } from './template-paths.ts'
import { TemplateEditor } from './template-editor.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { TemplatePicker } from './template-picker.tsx'
import { TemplateHeader } from './template-header.tsx'
import { XrayJsonHelp } from './xray-json-help.tsx'

/** The templates of a type: what clients of that kind are given, around the hosts of their user. */
export default function TemplatePage(): ReactNode {
  const type = useRouterState({ select: ({ location }) => templateTypeAt(location.pathname) })
  const { t } = useTranslation('subscription-templates')
  const chosen = useDialog('template').value
  return (
    <>
      <TemplateHeader title={type && t(`titles.${type}`)} description={type && t(`descriptions.${type}`)} />
      {type === 'XRAY_JSON' && <XrayJsonHelp />}
      {type !== undefined && <TemplatePicker type={type} chosen={chosen} />}
      {type !== undefined && <Template key={chosen ?? type} which={chosen ?? type} />}
    </>
  )
}

/** `which` is a uuid, or the type whose default is edited. */
function Template({ which }: { which: string }) {
  const { t } = useTranslation('subscription-templates')
  const read = templateQuery(which)
  const query = useQuery(read)
  const hasFailed = query.isError && query.data === undefined

  // A toast is outside React: once for each failure.
  useEffect(() => {
    if (hasFailed) showError(t('loadFailed.title'), t('loadFailed.message'), `template:${which}`)
  }, [hasFailed, query.errorUpdatedAt, t, which])

  if (query.data !== undefined) return <EditOpen read={read}>{(opened) => <TemplateEditor opened={opened} />}</EditOpen>
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  return (
    <Center mih={220} role="status">
      <Group gap="xs">
        <Loader size="sm" aria-hidden />
        <Text>{t('loading')}</Text>
      </Group>
    </Center>
  )
}
