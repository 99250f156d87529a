import type { ConfigProfile } from '@causeway/contract'
import { Badge, Button, VisuallyHidden } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CopyField } from '../../../ui/inputs/copy-field.tsx'
import { useDialog } from '../../../ui/frames/use-dialog.ts'
import classes from './editor.module.css'

/** Facts about the profile, in the head of its page, which shows its name. */
export function ProfileCard({ profile }: { profile: ConfigProfile }) {
  const { t } = useTranslation('profile-editor')
  const { t: profiles } = useTranslation('config-profiles')
  const nodes = useDialog('nodes')
  return (
    <section className={classes['card']} aria-label={t('card')}>
      <VisuallyHidden>
        <h2>{profile.name}</h2>
      </VisuallyHidden>
      <Button
        variant="subtle"
        color="gray"
        size="compact-sm"
        justify="start"
        px={0}
        aria-label={profiles('nodes', { count: profile.nodes.length })}
        onClick={() => nodes.open(profile.uuid)}
      >
        <Badge variant="light" color={profile.nodes.length > 0 ? 'teal' : 'red'} style={{ cursor: 'inherit' }}>
          {profiles('nodes', { count: profile.nodes.length })}
        </Badge>
      </Button>
      <CopyField label={t('uuid')} value={profile.uuid} />
    </section>
  )
}
