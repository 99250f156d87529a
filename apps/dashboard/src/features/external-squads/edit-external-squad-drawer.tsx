import { updateExternalSquad, type ExternalSquad } from '@causeway/contract'
import { Checkbox, Select, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useId, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { EditFrame, EditOpen } from '../../api/edit-frame.tsx'
import { useEditForm, type EditForm, type Opened } from '../../api/use-edit-form.ts'
import { DrawerFrame } from '../../ui/frames/frames.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { NumberField } from '../../ui/inputs/number-field.tsx'
import { CopyField } from '../../ui/inputs/copy-field.tsx'
import { useLingering } from '../../ui/use-lingering.ts'
import { pageConfigsQuery } from '../subscription-page/configs.queries.ts'
import { settingsQuery } from '../subscription-settings/subscription-settings.queries.ts'
import { templatesQuery } from '../subscription-templates/subscription-templates.queries.ts'
import {
  brokenHeader,
  missingRemarks,
  REMARKS,
  SQUAD_SWITCHES,
  TEMPLATE_TYPES,
  toSquadForm,
  toSquadPatch,
  type SquadForm,
  type SquadPart,
} from './external-squad-form.ts'
import { externalSquadQuery, useSaveExternalSquad } from './external-squads.queries.ts'
import { usePlannedSave } from './squad-plan.tsx'
import { useSquadFields } from './use-squad-fields.ts'
import classes from './external-squads.module.css'

const ROUTE_RULE = { decimals: 0, min: 0, max: 65_535 }
const LIMIT_RULE = { decimals: 0, min: 0, max: 1_000_000 }

/** The parts of a squad, each beside the setting of the installation that it replaces. */
export function EditExternalSquadDrawer() {
  const { t } = useTranslation('external-squads')
  const dialog = useDialog('edit')
  const uuid = useLingering(dialog.value)
  const name = useQuery({ ...externalSquadQuery(uuid ?? ''), enabled: false }).data?.name
  return (
    <DrawerFrame isOpen={dialog.value !== undefined} onClose={dialog.close} title={name ?? t('edit')} width={600}>
      {uuid !== undefined && (
        <EditOpen key={uuid} read={externalSquadQuery(uuid)} onLeave={dialog.close}>
          {(opened) => <SquadFields opened={opened} onSaved={dialog.close} />}
        </EditOpen>
      )}
    </DrawerFrame>
  )
}

type Edit = EditForm<ExternalSquad, SquadForm>

function SquadFields({ opened, onSaved }: { opened: Opened<ExternalSquad>; onSaved: () => void }) {
  const { t } = useTranslation('external-squads')
  const squad = opened.entity
  const edit = useEditForm<ExternalSquad, SquadForm>({
    opened,
    toForm: toSquadForm,
    fields: useSquadFields(),
    validate: {
      headersAdd: (text) => {
        const line = brokenHeader(text)
        return line === undefined ? null : t('headers.broken', { line })
      },
      hasRemarks: (_, values) => (missingRemarks(values).length === 0 ? null : t('remarks.missing')),
    },
  })
  const save = useSaveExternalSquad(edit.form)
  const saving = usePlannedSave(squad)
  return (
    <EditFrame
      writes={updateExternalSquad}
      edit={edit}
      onSave={saving(
        (change) => toSquadPatch(squad, change),
        (patch) => save.mutateAsync({ uuid: squad.uuid, ...patch }),
      )}
      onSaved={onSaved}
    >
      <Stack gap="md" pb="md">
        <Text size="sm" c="dimmed">
          {t('precedence')}
        </Text>
        <CopyField label={t('uuid')} value={squad.uuid} isWhole />
        <TemplatesPart edit={edit} />
        <SettingsPart edit={edit} />
        <HostsPart edit={edit} />
        <HeadersPart edit={edit} />
        <DevicesPart edit={edit} />
        <RemarksPart edit={edit} />
        <PagePart edit={edit} />
      </Stack>
    </EditFrame>
  )
}

interface PartProps {
  part: SquadPart
  /** The setting of everyone else. */
  replaced?: string | undefined
  children: ReactNode
}

function Part({ part, replaced, children }: PartProps) {
  const { t } = useTranslation('external-squads')
  const id = useId()
  return (
    <section aria-labelledby={id} className={classes['part']}>
      <div>
        <Text id={id} fw={600} component="h3">
          {t(`part.${part}`)}
        </Text>
        <Text size="sm" c="dimmed">
          {t(`hint.${part}`)}
        </Text>
        {replaced !== undefined && (
          <Text size="sm">
            {t('replaces')} <bdi>{replaced}</bdi>
          </Text>
        )}
      </div>
      {children}
    </section>
  )
}

function TemplatesPart({ edit }: { edit: Edit }) {
  const { t } = useTranslation('external-squads')
  const templates = useQuery(templatesQuery()).data?.templates ?? []
  return (
    <Part part="templates">
      <div className={classes['pair']}>
        {TEMPLATE_TYPES.map((type) => {
          const own = templates.filter(({ templateType }) => templateType === type)
          const name = `template:${type}` as const
          const former = own.find(({ isDefault }) => isDefault)?.name ?? ''
          return (
            <Select
              key={type}
              label={t(`type.${type}`)}
              placeholder={t('asDefault', { name: former })}
              data={own.map((one) => ({ value: one.uuid, label: one.name ?? '' }))}
              value={edit.form.values[name] || null}
              onChange={(uuid) => edit.form.setFieldValue(name, uuid ?? '')}
              error={edit.form.errors[name]}
              clearable
            />
          )
        })}
      </div>
    </Part>
  )
}

function SettingsPart({ edit }: { edit: Edit }) {
  const { t } = useTranslation('external-squads')
  const settings = useQuery(settingsQuery()).data
  const word = (is: boolean | undefined) => (is === undefined ? '…' : t(is ? 'on' : 'off'))
  return (
    <Part part="settings">
      {SQUAD_SWITCHES.map((name) => (
        <Select
          key={name}
          label={t(`switch.${name}`)}
          data={[
            { value: '', label: t('asInstallation', { value: word(settings?.[name]) }) },
            { value: 'true', label: t('on') },
            { value: 'false', label: t('off') },
          ]}
          allowDeselect={false}
          {...edit.form.getInputProps(name)}
        />
      ))}
    </Part>
  )
}

function HostsPart({ edit }: { edit: Edit }) {
  const { t } = useTranslation('external-squads')
  return (
    <Part part="hosts" replaced={t('hosts.replaced')}>
      <div className={classes['pair']}>
        <TextInput label={t('hosts.description')} maxLength={30} {...edit.form.getInputProps('serverDescription')} />
        <NumberField
          label={t('hosts.route')}
          isMachine
          rule={ROUTE_RULE}
          value={edit.form.values.vlessRouteId}
          onChange={(entry) => edit.form.setFieldValue('vlessRouteId', entry)}
          error={edit.form.errors['vlessRouteId']}
        />
      </div>
    </Part>
  )
}

function HeadersPart({ edit }: { edit: Edit }) {
  const { t } = useTranslation('external-squads')
  const settings = useQuery(settingsQuery()).data
  const own = Object.keys(settings?.customResponseHeaders ?? {})
  return (
    <Part part="headers" replaced={own.length === 0 ? t('headers.none') : own.join(', ')}>
      <Textarea
        label={t('headers.add')}
        description={t('headers.addHint')}
        placeholder="x-plan: gold"
        dir="ltr"
        autosize
        minRows={2}
        maxRows={8}
        {...edit.form.getInputProps('headersAdd')}
        error={edit.form.errors['headersAdd'] ?? edit.form.errors['responseHeadersAdd']}
      />
      <Textarea
        label={t('headers.remove')}
        description={t('headers.removeHint')}
        placeholder="support-url"
        dir="ltr"
        autosize
        minRows={1}
        maxRows={6}
        {...edit.form.getInputProps('headersRemove')}
        error={edit.form.errors['headersRemove'] ?? edit.form.errors['responseHeadersRemove']}
      />
    </Part>
  )
}

function DevicesPart({ edit }: { edit: Edit }) {
  const { t } = useTranslation('external-squads')
  const settings = useQuery(settingsQuery()).data?.hwidSettings
  const former = settings?.enabled ? t('devices.limited', { count: settings.fallbackDeviceLimit }) : t('devices.unlimited')
  const { hasDevices } = edit.form.values
  return (
    <Part part="devices" replaced={former}>
      <Switch label={t('devices.own')} {...edit.form.getInputProps('hasDevices', { type: 'checkbox' })} />
      {hasDevices && (
        <>
          <Checkbox label={t('devices.enabled')} {...edit.form.getInputProps('isLimited', { type: 'checkbox' })} />
          <NumberField
            label={t('devices.limit')}
            description={t('devices.limitHint')}
            rule={LIMIT_RULE}
            value={edit.form.values.deviceLimit}
            onChange={(entry) => edit.form.setFieldValue('deviceLimit', entry)}
            error={edit.form.errors['deviceLimit']}
          />
          <TextInput label={t('devices.announce')} maxLength={200} {...edit.form.getInputProps('deviceAnnounce')} />
        </>
      )}
    </Part>
  )
}

function RemarksPart({ edit }: { edit: Edit }) {
  const { t } = useTranslation('external-squads')
  const remarks = useQuery(settingsQuery()).data?.customRemarks
  return (
    <Part part="remarks">
      <Switch
        label={t('remarks.own')}
        {...edit.form.getInputProps('hasRemarks', { type: 'checkbox' })}
        error={edit.form.errors['hasRemarks']}
      />
      {edit.form.values.hasRemarks &&
        REMARKS.map((name) => (
          <Textarea
            key={name}
            label={t(`remarks.${name}`)}
            placeholder={(remarks?.[name] ?? []).join('\n')}
            dir="auto"
            autosize
            minRows={1}
            maxRows={6}
            {...edit.form.getInputProps(`remark:${name}`)}
          />
        ))}
    </Part>
  )
}

function PagePart({ edit }: { edit: Edit }) {
  const { t } = useTranslation('external-squads')
  const configs = useQuery(pageConfigsQuery()).data?.configs ?? []
  const own = configs.filter(({ name }) => name !== 'Default')
  return (
    <Part part="page">
      <Select
        label={t('page.label')}
        placeholder={t('asDefault', { name: 'Default' })}
        data={own.map(({ uuid, name }) => ({ value: uuid, label: name }))}
        value={edit.form.values.page || null}
        onChange={(uuid) => edit.form.setFieldValue('page', uuid ?? '')}
        error={edit.form.errors['page']}
        clearable
      />
    </Part>
  )
}
