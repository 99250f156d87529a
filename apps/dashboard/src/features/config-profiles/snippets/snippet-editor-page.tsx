import type { Snippet } from '@causeway/contract'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { EditOpen } from '../../../api/edit-frame.tsx'
import type { Opened } from '../../../api/use-edit-form.ts'
import { PageHeader } from '../../../ui/frames/page-header.tsx'
import { SnippetForm } from './snippet-form.tsx'
import { snippetQuery } from './snippets.queries.ts'

const route = getRouteApi('/dashboard/management/snippets/$uuid')
const LIST = '/dashboard/management/snippets'

/** One snippet: what it holds, and what becomes of the profiles that name it. */
export default function SnippetEditorPage() {
  const { uuid } = route.useParams()
  const navigate = useNavigate()
  return (
    <EditOpen key={uuid} read={snippetQuery(uuid)} onLeave={() => void navigate({ to: LIST })}>
      {(opened) => <Page opened={opened} />}
    </EditOpen>
  )
}

function Page({ opened }: { opened: Opened<Snippet> }) {
  const { t } = useTranslation('snippets')
  return (
    <>
      <PageHeader title={opened.entity.name} trail={[{ label: t('title'), to: LIST }]} />
      <SnippetForm opened={opened} />
    </>
  )
}
