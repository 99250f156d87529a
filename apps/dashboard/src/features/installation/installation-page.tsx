import {
  FIRST_GENERATION,
  generation as generations,
  type CallInput,
  type Installation,
  updateInstallation,
} from '@causeway/contract'
import { Group, Paper, Select, Stack, Switch, TagsInput, Text, type ComboboxItem } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { EditFrame, EditOpen } from '../../api/edit-frame.tsx'
import { isSameSet } from '../../api/edit-merge.ts'
import type { WireFields } from '../../api/form-table.ts'
import { useEditForm, type Opened } from '../../api/use-edit-form.ts'
import { dateFormat } from '../../lib/numbers/formats.ts'
import { useNow } from '../../lib/time/now.ts'
import { PageHeader } from '../../ui/frames/page-header.tsx'
import { HistoryLink } from '../history/parts/history-item.tsx'
import { AccentField } from './accent-field.tsx'
import { installationQuery, useUpdateInstallation } from './installation.queries.ts'
import { isFound, offsetName, timeIn, zoneChoices } from './installation.rules.ts'

const WIDTH = 640
/** More are not rendered at once; typing finds the others. */
const MOST_SHOWN = 100

/** Settings of the whole installation. */
export default function InstallationPage() {
  const { t } = useTranslation('installation')
  return (
    <>
      <PageHeader title={t('title')} description={t('description')} actions={<HistoryLink action="updateInstallation" />} />
      <Paper withBorder p="lg" pb="xs" maw={WIDTH}>
        <EditOpen read={installationQuery()}>{(opened) => <EditInstallation opened={opened} />}</EditOpen>
      </Paper>
    </>
  )
}

type InstallationForm = WireFields<CallInput<typeof updateInstallation>, never>

function EditInstallation({ opened }: { opened: Opened<Installation> }) {
  const { t, i18n } = useTranslation('installation')
  const now = new Date(useNow())
  const edit = useEditForm<Installation, InstallationForm>({
    opened,
    toForm: ({
      timeZone,
      sessionGeneration = FIRST_GENERATION,
      signInNetworks = [],
      isSecondFactorRequired = false,
      isCutOffImmediate = true,
      accent = null,
    }) => ({
      timeZone,
      sessionGeneration,
      signInNetworks,
      isSecondFactorRequired,
      isCutOffImmediate,
      accent,
    }),
    fields: {
      timeZone: { label: t('timeZone') },
      sessionGeneration: { label: t('sessions') },
      signInNetworks: { label: t('networks'), isSame: isSameSet((network: string) => network) },
      isSecondFactorRequired: { label: t('factor') },
      isCutOffImmediate: { label: t('cutOff') },
      accent: { label: t('accent.label') },
    },
  })
  const update = useUpdateInstallation(edit.form)
  const zones = useMemo(() => zoneChoices(opened.entity.timeZone), [opened.entity.timeZone])
  const { timeZone } = edit.form.values
  const { authorityExpiresAt } = opened.entity
  return (
    <EditFrame
      writes={updateInstallation}
      edit={edit}
      onSave={({ values, changed }) =>
        update.mutateAsync({
          ...(changed.has('timeZone') ? { timeZone: values.timeZone } : {}),
          ...(changed.has('signInNetworks') ? { signInNetworks: values.signInNetworks } : {}),
          ...(changed.has('isSecondFactorRequired') ? { isSecondFactorRequired: values.isSecondFactorRequired } : {}),
          ...(changed.has('isCutOffImmediate') ? { isCutOffImmediate: values.isCutOffImmediate } : {}),
          ...(changed.has('accent') ? { accent: values.accent } : {}),
          ...(changed.has('sessionGeneration') ? { sessionGeneration: values.sessionGeneration } : {}),
        })
      }
    >
      <Stack gap="sm">
        <Select
          label={t('timeZone')}
          description={t('timeZoneHint')}
          data={zones}
          searchable
          limit={MOST_SHOWN}
          allowDeselect={false}
          nothingFoundMessage={t('noZone')}
          filter={({ options, search, limit }) =>
            // The list is flat: there are no groups in it.
            (options as ComboboxItem[]).filter(({ value }) => isFound(value, search)).slice(0, limit)
          }
          renderOption={({ option }) => (
            <Group justify="space-between" wrap="nowrap" flex={1}>
              <bdi>{option.value}</bdi>
              <Text span size="xs" c="dimmed" dir="ltr">
                {offsetName(option.value, now)}
              </Text>
            </Group>
          )}
          {...edit.form.getInputProps('timeZone')}
        />
        <Text size="sm" c="dimmed" aria-live="polite">
          {t('nowThere', { time: timeIn(timeZone, now, i18n.language), offset: offsetName(timeZone, now) })}
        </Text>
        {timeZone !== opened.entity.timeZone && <Text size="sm">{t('change')}</Text>}
        <Select
          label={t('sessions')}
          description={t('sessionsHint')}
          data={generations.options.toReversed().map((value) => ({ value, label: t('speaks', { generation: value }) }))}
          allowDeselect={false}
          {...edit.form.getInputProps('sessionGeneration')}
        />
        <TagsInput
          label={t('networks')}
          description={t('networksHint')}
          placeholder={edit.form.values.signInNetworks.length === 0 ? t('networksAll') : ''}
          acceptValueOnBlur
          clearable
          splitChars={[',', ' ', ';']}
          spellCheck={false}
          {...edit.form.getInputProps('signInNetworks')}
        />
        <Switch
          label={t('factor')}
          description={t('factorHint')}
          {...edit.form.getInputProps('isSecondFactorRequired', { type: 'checkbox' })}
        />
        <Switch
          label={t('cutOff')}
          description={t('cutOffHint')}
          {...edit.form.getInputProps('isCutOffImmediate', { type: 'checkbox' })}
        />
        <AccentField
          value={edit.form.values.accent}
          onChange={(accent) => edit.form.setFieldValue('accent', accent)}
          error={edit.form.errors['accent']}
        />
        {authorityExpiresAt !== undefined && (
          <Text size="sm" c="dimmed">
            {t('authority', { date: dateFormat(i18n.language, { dateStyle: 'medium' }).format(new Date(authorityExpiresAt)) })}
          </Text>
        )}
      </Stack>
    </EditFrame>
  )
}
