import type { ConfigProfile } from '@causeway/contract'
import { Progress, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { EditOpen } from '../../../api/edit-frame.tsx'
import type { Opened } from '../../../api/use-edit-form.ts'
import { PageHeader } from '../../../ui/page-header.tsx'
import { ActiveNodesModal } from '../active-nodes-modal.tsx'
import { configProfileQuery } from '../config-profiles.queries.ts'
import classes from './editor.module.css'
import { ProfileCard } from './profile-card.tsx'
import { ProfileForm } from './profile-form.tsx'
import { useChecker, type Checker } from './use-validator.ts'

const route = getRouteApi('/dashboard/management/config-profiles/$uuid')
const LIST = '/dashboard/management/config-profiles'

/** One profile: what it is, what it holds, and what Xray says of that. */
export default function ConfigProfileEditorPage() {
  const { t } = useTranslation('profile-editor')
  const { uuid } = route.useParams()
  const navigate = useNavigate()
  const checker = useChecker()
  // Begun beside the module; those below read the same.
  const profile = useQuery(configProfileQuery(uuid))
  if (checker.phase === 'loading' || !profile.isFetched) {
    return (
      <>
        <PageHeader title={t('title')} trail={[{ label: t('profiles'), to: LIST }]} />
        <Loading checker={checker} />
      </>
    )
  }
  return (
    <EditOpen key={uuid} read={configProfileQuery(uuid)} onLeave={() => void navigate({ to: LIST })}>
      {(opened) => <Page opened={opened} checker={checker} />}
    </EditOpen>
  )
}

function Page({ opened, checker }: { opened: Opened<ConfigProfile>; checker: Checker }) {
  const { t } = useTranslation('profile-editor')
  const profile = opened.entity
  return (
    <>
      <PageHeader title={profile.name} trail={[{ label: t('profiles'), to: LIST }]} />
      <ProfileCard profile={profile} />
      <ProfileForm opened={opened} checker={checker} />
      <ActiveNodesModal />
    </>
  )
}

/** Tens of megabytes the first time; later the browser has them. */
function Loading({ checker }: { checker: Checker }) {
  const { t } = useTranslation('profile-editor')
  const percent = checker.phase === 'loading' ? Math.round(checker.share * 100) : 100
  return (
    <div className={classes['loading']} role="status">
      <Progress value={percent} aria-label={t('loading')} mb="sm" animated />
      <Text size="sm">{t('loading')}</Text>
    </div>
  )
}
