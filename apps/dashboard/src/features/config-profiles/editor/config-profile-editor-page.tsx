import type { ConfigProfile } from '@causeway/contract'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EditOpen } from '../../../api/edit-frame.tsx'
import type { Opened } from '../../../api/use-edit-form.ts'
import { PageHeader } from '../../../ui/frames/page-header.tsx'
import { ActiveNodesModal } from '../active-nodes-modal.tsx'
import { configProfileQuery } from '../config-profiles.queries.ts'
import { ProfileCard } from './profile-card.tsx'
import { ProfileForm } from './profile-form.tsx'
import { useChecker, type Checker } from './use-validator.ts'
import { LoadingEngine } from './verdict-box.tsx'

const route = getRouteApi('/dashboard/management/config-profiles/$uuid')
const LIST = '/dashboard/management/config-profiles'

/** One profile: what it is, what it holds, and what Xray says of that. */
export default function ConfigProfileEditorPage() {
  const { t } = useTranslation('profile-editor')
  const { uuid } = route.useParams()
  const navigate = useNavigate()
  // Xray keeps a core busy while it starts: typing has priority.
  const [isReady, setReady] = useState(false)
  const checker = useChecker(isReady)
  // Begun beside the module; those below read the same.
  const profile = useQuery(configProfileQuery(uuid))
  if (!profile.isFetched) {
    return (
      <>
        <PageHeader title={t('title')} trail={[{ label: t('profiles'), to: LIST }]} />
        <LoadingEngine checker={checker} isAlone />
      </>
    )
  }
  return (
    <EditOpen key={uuid} read={configProfileQuery(uuid)} onLeave={() => void navigate({ to: LIST })}>
      {(opened) => <Page opened={opened} checker={checker} onReady={() => setReady(true)} />}
    </EditOpen>
  )
}

interface PageProps {
  opened: Opened<ConfigProfile>
  checker: Checker
  onReady: () => void
}

function Page({ opened, checker, onReady }: PageProps) {
  const { t } = useTranslation('profile-editor')
  const profile = opened.entity
  return (
    <>
      <PageHeader title={profile.name} trail={[{ label: t('profiles'), to: LIST }]} actions={<ProfileCard profile={profile} />} />
      <ProfileForm opened={opened} checker={checker} onReady={onReady} />
      <ActiveNodesModal />
    </>
  )
}
