import { updateSubscriptionSettings, type SubscriptionSettings } from '@causeway/contract'
import { Alert, Button, Tabs } from '@mantine/core'
import { IconAlertCircle, IconAlertTriangle, IconArrowsSplit, IconInfoCircle, IconRoute } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { EditFrame, EditOpen } from '../../api/edit-frame.tsx'
import { useEditForm, type Change, type Opened } from '../../api/use-edit-form.ts'
import { formatBytes } from '../../lib/numbers/bytes.ts'
import { CopyField } from '../../ui/inputs/copy-field.tsx'
import { PageHeader } from '../../ui/frames/page-header.tsx'
import { HistoryLink } from '../history/parts/history-item.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { SubscriptionPreview } from '../subscription-preview/parts/subscription-preview.tsx'
import {
  emptyRemarkLists,
  headerBytes,
  MOST_HEADER_BYTES,
  problemsOf,
  settingsForm,
  TAB_NAMES,
  type SettingsEdit,
  type SettingsForm,
  type TabName,
} from './settings-form.ts'
import classes from './subscription-settings.module.css'
import { settingsQuery, showMissingRemarks, useUpdateSettings } from './subscription-settings.queries.ts'
import { SettingsFields } from './settings-inputs.tsx'

export default function SubscriptionSettingsPage() {
  const { t } = useTranslation('subscription-settings')
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
              leftSection={<IconRoute size={16} aria-hidden />}
              renderRoot={(props) => <Link to="/dashboard/utils/happ-routing-builder" {...props} />}
            >
              {t('routingBuilder')}
            </Button>
            <Button
              variant="default"
              leftSection={<IconArrowsSplit size={16} aria-hidden />}
              renderRoot={(props) => <Link to="/dashboard/management/response-rules" {...props} />}
            >
              {t('responseRules')}
            </Button>
          </>
        }
      />
      <section className={classes['about']} aria-labelledby="settings-about">
        <IconInfoCircle size={20} stroke={1.5} aria-hidden />
        <div>
          <h2 id="settings-about">{t('about.title')}</h2>
          <p>{t('about.body')}</p>
        </div>
      </section>
      <EditOpen read={settingsQuery()}>{(opened) => <SettingsEditor key={opened.entity.uuid} opened={opened} />}</EditOpen>
    </>
  )
}

function SettingsEditor({ opened }: { opened: Opened<SubscriptionSettings> }) {
  const { t } = useTranslation('subscription-settings')
  const tab = useDialog('tab')
  const edit = useEditForm<SubscriptionSettings, SettingsForm>({
    opened,
    toForm: settingsForm.fromEntity,
    fields: settingsForm.editFields(t),
    validate: problemsOf,
  })
  const update = useUpdateSettings(edit.form)
  const shown = TAB_NAMES.find((name) => name === tab.value) ?? 'info'
  const settings = settingsForm.toWire(edit.form.values)
  // What cannot be saved cannot be shown either.
  const draft = Object.keys(problemsOf(edit.form.values)).length === 0 ? { settings } : {}

  async function save({ values, changed }: Change<SettingsForm>): Promise<SubscriptionSettings | undefined> {
    if (emptyRemarkLists(values).length > 0) {
      showMissingRemarks(t('missingRemarks.title'), t('missingRemarks.message'))
      tab.open('remarks')
      return undefined
    }
    // Left alone, the limit of devices stays with the environment of the server.
    const sent = settingsForm.names.filter((name) => name !== 'hwidSettings' || changed.has(name))
    return update.mutateAsync({ uuid: opened.entity.uuid, ...settingsForm.toWire(values, sent) })
  }
  return (
    <div className={classes['columns']}>
      <EditFrame writes={updateSubscriptionSettings} edit={edit} onSave={save} className={classes['form']}>
        <LongHeaders values={edit.form.values} />
        <Tabs value={shown} onChange={(next) => next !== null && tab.open(next)}>
          <Tabs.List mb="md" className={classes['tabs']}>
            {TAB_NAMES.map((name) => (
              <Tabs.Tab key={name} value={name} rightSection={<Mistake edit={edit} tab={name} />}>
                {t(`tab.${name}`)}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {TAB_NAMES.map((name) => (
            <Tabs.Panel key={name} value={name}>
              <SettingsFields edit={edit} tab={name} />
            </Tabs.Panel>
          ))}
        </Tabs>
      </EditFrame>
      <aside className={classes['aside']} aria-labelledby="settings-preview">
        <h2 id="settings-preview">{t('preview')}</h2>
        <SubscriptionPreview draft={draft} />
      </aside>
    </div>
  )
}

/** What no proxy hands on breaks every subscription with one save, and is refused. */
function LongHeaders({ values }: { values: SettingsForm }) {
  const { t, i18n } = useTranslation('subscription-settings')
  const bytes = headerBytes(values)
  if (bytes <= MOST_HEADER_BYTES) return null
  const isFromRouting = headerBytes({ ...values, happRouting: '' }) <= MOST_HEADER_BYTES
  return (
    <Alert variant="default" mb="md" role="alert" icon={<IconAlertTriangle size={18} color="var(--warn-mark)" aria-hidden />}>
      {t('longHeaders.message', { size: formatBytes(bytes, i18n.language) })}
      {isFromRouting && (
        <CopyField label={t('longHeaders.link')} description={t('longHeaders.linkHint')} value={values.happRouting} />
      )}
    </Alert>
  )
}

/** A tab that is not open may hold what is wrong. */
function Mistake({ edit, tab }: { edit: SettingsEdit; tab: TabName }) {
  const { t } = useTranslation('subscription-settings')
  const hasMistake = settingsForm.names.some(
    (name) => settingsForm.extraOf(name).tab === tab && edit.form.errors[name] !== undefined,
  )
  if (!hasMistake) return null
  return <IconAlertCircle size={16} color="var(--bad)" role="img" aria-label={t('mistake')} />
}
