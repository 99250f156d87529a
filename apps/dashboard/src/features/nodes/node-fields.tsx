import { MOST_OWN_TAGS } from '@causeway/contract'
import { Grid, Group, Select, Slider, Stack, Switch, Text, TextInput, Title, type GridColProps } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { numberFormat } from '../../lib/numbers/formats.ts'
import { countryOptions } from '../../lib/countries.ts'
import { ZoneNote } from '../installation/parts/zone-note.tsx'
import { MachineTextInput } from '../../ui/inputs/inputs.tsx'
import { NumberField, PortField } from '../../ui/inputs/number-field.tsx'
import { InboundsInput } from '../config-profiles/parts/inbounds-input.tsx'
import { ProviderPicker } from '../infra-billing/parts/provider-picker.tsx'
import { PluginPicker } from '../node-plugins/parts/plugin-picker.tsx'
import { TagsField } from '../../ui/inputs/tags-field.tsx'
import { IpListField } from './form/ip-list-field.tsx'
import { nodeTagsQuery } from './nodes.queries.ts'
import { nodeForm, NUMBER_RULES, type NodeForm } from './node-form.ts'
import { useNodeWords } from './use-node-form.ts'

const NOTE_MAX_LENGTH = 255
const MAX_MULTIPLIER = 10
const MULTIPLIER_STEP = 0.1

const SECTIONS = ['identity', 'config', 'traffic'] as const
type FormApi = UseFormReturnType<NodeForm>

interface InputProps {
  form: FormApi
  /** Label, value and handlers. */
  common: ReturnType<FormApi['getInputProps']> & { label: string }
}

interface FieldInput {
  section: (typeof SECTIONS)[number]
  span: NonNullable<GridColProps['span']>
  isShown?: (form: NodeForm) => boolean
  Input: (props: InputProps) => ReactNode
}

const HALF = { base: 12, xs: 6 } as const
const tracking = {
  section: 'traffic',
  span: { base: 12, xs: 4 },
  isShown: (form: NodeForm) => form.isTrafficTrackingActive,
} as const

type OwnInputs = { [Name in keyof NodeForm as NodeForm[Name] extends string ? never : Name]: FieldInput } & {
  [Name in keyof NodeForm]?: FieldInput
}

/** The inputs of fields. A text without one is a line among the first; any other field without one does not compile. */
const OWN_INPUTS: OwnInputs = {
  name: { section: 'identity', span: HALF, Input: NameInput },
  countryCode: { section: 'identity', span: HALF, Input: CountryInput },
  address: { section: 'identity', span: { base: 8, xs: 9 }, Input: AddressInput },
  port: { section: 'identity', span: { base: 4, xs: 3 }, Input: PortInput },
  providerUuid: { section: 'identity', span: 12, Input: ProviderInput },
  activePluginUuid: { section: 'identity', span: 12, Input: PluginInput },
  tags: { section: 'identity', span: 12, Input: TagsOfNode },
  note: {
    section: 'identity',
    span: 12,
    Input: ({ common }) => <TextInput autoComplete="off" maxLength={NOTE_MAX_LENGTH} {...common} />,
  },
  ips: { section: 'identity', span: 12, Input: IpsInput },
  configProfile: { section: 'config', span: 12, Input: ConfigProfileInput },
  isTrafficTrackingActive: { section: 'traffic', span: 12, Input: TrackingInput },
  trafficLimitBytes: {
    ...tracking,
    Input: ({ common }) => <NumberField unit="GiB" rule={NUMBER_RULES.trafficLimitBytes} {...common} />,
  },
  trafficResetDay: {
    ...tracking,
    Input: ({ common }) => (
      <NumberField
        description={<ZoneNote />}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        rule={NUMBER_RULES.trafficResetDay}
        {...common}
      />
    ),
  },
  notifyPercent: {
    ...tracking,
    Input: ({ common }) => <NumberField unit="%" rule={NUMBER_RULES.notifyPercent} {...common} />,
  },
  consumptionMultiplier: { section: 'traffic', span: 12, Input: MultiplierInput },
}

const TEXT: FieldInput = {
  section: 'identity',
  span: 12,
  Input: ({ common }) => <TextInput autoComplete="off" {...common} />,
}
const inputOf = (name: keyof NodeForm): FieldInput => OWN_INPUTS[name] ?? TEXT

/** Inputs shared by create and edit. */
export function NodeFields({ form }: { form: FormApi }) {
  const { t } = useTranslation('nodes')
  const words = useNodeWords()
  const isIn = (section: string) => (name: keyof NodeForm) =>
    inputOf(name).section === section && inputOf(name).isShown?.(form.values) !== false
  return (
    <Stack gap="lg" pb="lg">
      {SECTIONS.map((section) => (
        <section key={section}>
          {section !== 'identity' && (
            <Title order={2} mb={section === 'config' ? 4 : 'sm'}>
              {t(`section.${section}`)}
            </Title>
          )}
          <Grid gap="sm">
            {nodeForm.names.filter(isIn(section)).map((name) => {
              const { span, Input } = inputOf(name)
              const label = nodeForm.labelOf(name, words)
              return (
                <Grid.Col key={name} span={span}>
                  <Input form={form} common={{ ...form.getInputProps(name), label }} />
                </Grid.Col>
              )
            })}
          </Grid>
        </section>
      ))}
    </Stack>
  )
}

function NameInput({ common }: InputProps) {
  const { t } = useTranslation('nodes')
  // Also where the form comes later than its dialog.
  return <TextInput description={t('field.nameHint')} required data-autofocus autoFocus {...common} />
}

function TagsOfNode({ common }: InputProps) {
  const { t } = useTranslation('nodes')
  const known = useQuery(nodeTagsQuery()).data?.tags ?? []
  return <TagsField description={t('field.tagsHint')} data={known} maxTags={MOST_OWN_TAGS} {...common} />
}

function CountryInput({ common }: InputProps) {
  const { t, i18n } = useTranslation('nodes')
  return (
    <Select
      description={t('field.countryHint')}
      data={countryOptions(i18n.language, t('field.unknownCountry'))}
      searchable
      required
      allowDeselect={false}
      {...common}
    />
  )
}

function AddressInput({ common }: InputProps) {
  const { t } = useTranslation('nodes')
  return <MachineTextInput description={t('field.addressHint')} required {...common} />
}

function PortInput({ common }: InputProps) {
  const { t } = useTranslation('nodes')
  return <PortField description={t('field.portHint')} required {...common} />
}

function ProviderInput({ common }: InputProps) {
  const { t } = useTranslation('nodes')
  return <ProviderPicker description={t('field.providerHint')} clearable {...common} />
}

function IpsInput({ form, common: { label } }: InputProps) {
  return (
    <IpListField
      label={label}
      value={form.values.ips}
      error={form.errors['ips']}
      onChange={(ips) => {
        form.setFieldValue('ips', ips)
        form.setTouched({ ...form.getTouched(), ips: true })
      }}
    />
  )
}

function PluginInput({ common }: InputProps) {
  const { t } = useTranslation('nodes')
  return <PluginPicker description={t('field.pluginHint')} {...common} />
}

function ConfigProfileInput({ form }: InputProps) {
  return (
    <InboundsInput
      mode="one-profile"
      selected={form.values.configProfile.inbounds}
      error={form.errors['configProfile']}
      onChange={(inbounds) => {
        form.setValues({ configProfile: { uuid: inbounds[0]?.profileUuid ?? null, inbounds } })
        form.setTouched({ ...form.getTouched(), configProfile: true })
        form.clearFieldError('configProfile')
      }}
    />
  )
}

function TrackingInput({ form, common: { label } }: InputProps) {
  const { t } = useTranslation('nodes')
  const input = form.getInputProps('isTrafficTrackingActive', { type: 'checkbox' })
  return <Switch label={label} description={t('field.trackingHint')} {...input} />
}

/** How many bytes each byte of this node counts for its user. */
function MultiplierInput({ form, common: { label, ...input } }: InputProps) {
  const { t, i18n } = useTranslation('nodes')
  const multiplier = numberFormat(i18n.language, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
  return (
    <div>
      <Group justify="space-between">
        <Text size="sm" fw={500}>
          {label}
        </Text>
        <Text size="sm" c="var(--accent)" fw={600}>
          <bdi>{multiplier.format(form.values.consumptionMultiplier)}×</bdi>
        </Text>
      </Group>
      <Text size="xs" c="dimmed" mb="xs">
        {t('field.multiplierHint')}
      </Text>
      <Slider
        thumbLabel={label}
        min={MULTIPLIER_STEP}
        max={MAX_MULTIPLIER}
        step={MULTIPLIER_STEP}
        label={null}
        marks={[{ value: 1 }, { value: 5 }, { value: 10 }]}
        mx="xs"
        {...input}
      />
    </div>
  )
}
