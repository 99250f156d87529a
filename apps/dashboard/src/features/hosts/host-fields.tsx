import {
  alpn,
  fingerprint,
  MOST_OWN_TAGS,
  REMARK_MAX_LENGTH,
  securityLayer,
  SERVER_DESCRIPTION_MAX_LENGTH,
  type ConfigProfile,
  type Inbound,
} from '@causeway/contract'
import { Accordion, Button, Grid, Select, Stack, Switch, TextInput, Title, type GridColProps } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { MachineTextInput } from '../../ui/inputs/inputs.tsx'
import { PortField } from '../../ui/inputs/number-field.tsx'
import { InboundsInput } from '../config-profiles/parts/inbounds-input.tsx'
import { TagsField } from '../../ui/inputs/tags-field.tsx'
import { nodesQuery } from '../nodes/nodes.queries.ts'
import { hostTagsQuery } from './hosts.queries.ts'
import { ExcludedSquadsInput, ExcludedTypesInput, IpVersionInput, JsonTemplateInput } from './additions/addition-inputs.tsx'
import { countSteps, mapperOf } from './additions/host-mapper.ts'
import { MapperDrawer } from './additions/mapper-drawer.tsx'
import { hostForm, toCreateHost, type HostForm } from './host-form.ts'
import { HostNodesField } from './host-nodes-field.tsx'
import { addressOfInbound, canHaveExtra } from './hosts.rules.ts'
import { useHostWords } from './use-host-form.ts'
import { XhttpExtraDrawer } from './xhttp-extra-drawer.tsx'

type FormApi = UseFormReturnType<HostForm>

interface Props {
  form: FormApi
  profiles: readonly ConfigProfile[]
}

interface InputProps extends Props {
  name: keyof HostForm
  /** Label, value and handlers. */
  common: ReturnType<FormApi['getInputProps']> & { label: string }
}

interface FieldInput {
  place: 'basic' | 'advanced' | 'additions'
  span: NonNullable<GridColProps['span']>
  Input: (props: InputProps) => ReactNode
}

const HALF = { base: 12, xs: 6 } as const
const machineText: FieldInput = { place: 'advanced', span: HALF, Input: ({ common }) => <MachineTextInput {...common} /> }

/** The input of each field. A field without one does not compile. */
const INPUTS: { [Name in keyof HostForm]: FieldInput } = {
  isDisabled: { place: 'basic', span: 12, Input: EnabledInput },
  inbound: { place: 'basic', span: 12, Input: InboundInput },
  remark: { place: 'basic', span: 12, Input: RemarkInput },
  address: { place: 'basic', span: { base: 8, xs: 9 }, Input: AddressInput },
  port: { place: 'basic', span: { base: 4, xs: 3 }, Input: PortInput },
  sni: machineText,
  host: machineText,
  path: machineText,
  securityLayer: { place: 'advanced', span: HALF, Input: SecurityInput },
  alpn: { place: 'advanced', span: HALF, Input: ({ common }) => <InboundsChoice options={alpn.options} {...common} /> },
  fingerprint: {
    place: 'advanced',
    span: HALF,
    Input: ({ common }) => <InboundsChoice options={fingerprint.options} {...common} />,
  },
  serverDescription: { place: 'advanced', span: 12, Input: DescriptionInput },
  tags: { place: 'advanced', span: 12, Input: HostTagsInput },
  nodes: { place: 'advanced', span: 12, Input: ({ form }) => <HostNodesField form={form} /> },
  shuffleHost: { place: 'advanced', span: HALF, Input: (props) => <FlagInput {...props} name="shuffleHost" /> },
  mihomoX25519: { place: 'advanced', span: HALF, Input: (props) => <FlagInput {...props} name="mihomoX25519" /> },
  allowInsecure: { place: 'advanced', span: HALF, Input: (props) => <FlagInput {...props} name="allowInsecure" /> },
  xHttpExtraParams: { place: 'advanced', span: 12, Input: ExtraInput },
  isHidden: { place: 'additions', span: HALF, Input: (props) => <FlagInput {...props} name="isHidden" /> },
  keepSniBlank: { place: 'additions', span: HALF, Input: (props) => <FlagInput {...props} name="keepSniBlank" /> },
  excludedInternalSquads: { place: 'additions', span: 12, Input: ({ common }) => <ExcludedSquadsInput {...common} /> },
  excludeFromSubscriptionTypes: { place: 'additions', span: 12, Input: ({ common }) => <ExcludedTypesInput {...common} /> },
  xrayJsonTemplateUuid: { place: 'additions', span: HALF, Input: ({ common }) => <JsonTemplateInput {...common} /> },
  mihomoIpVersion: { place: 'additions', span: HALF, Input: ({ common }) => <IpVersionInput {...common} /> },
  pinnedPeerCertSha256: { place: 'additions', span: 12, Input: (props) => <HintedText {...props} name="pinnedPeerCertSha256" /> },
  verifyPeerCertByName: { place: 'additions', span: 12, Input: (props) => <HintedText {...props} name="verifyPeerCertByName" /> },
  mapper: { place: 'additions', span: 12, Input: MapperInput },
}

/** Inputs shared by create and edit. */
export function HostFields(props: Props) {
  const { t } = useTranslation('hosts')
  return (
    <Stack gap="lg" pb="lg">
      <FieldGrid {...props} place="basic" />
      <Accordion variant="contained">
        <Accordion.Item value="advanced">
          <Accordion.Control>{t('advanced')}</Accordion.Control>
          <Accordion.Panel>
            <FieldGrid {...props} place="advanced" />
          </Accordion.Panel>
        </Accordion.Item>
        <Accordion.Item value="additions">
          <Accordion.Control>{t('additions.title')}</Accordion.Control>
          <Accordion.Panel>
            <FieldGrid {...props} place="additions" />
          </Accordion.Panel>
        </Accordion.Item>
      </Accordion>
    </Stack>
  )
}

function FieldGrid({ form, profiles, place }: Props & Pick<FieldInput, 'place'>) {
  const words = useHostWords()
  return (
    <Grid gap="sm">
      {hostForm.names
        .filter((name) => INPUTS[name].place === place)
        .map((name) => {
          const { span, Input } = INPUTS[name]
          const common = { ...form.getInputProps(name), label: hostForm.labelOf(name, words) }
          return (
            <Grid.Col key={name} span={span}>
              <Input name={name} form={form} profiles={profiles} common={common} />
            </Grid.Col>
          )
        })}
    </Grid>
  )
}

/** The wire says disabled, the switch enabled. */
function EnabledInput({ form, common: { label } }: InputProps) {
  return (
    <Switch
      label={label}
      checked={!form.values.isDisabled}
      onChange={(event) => {
        form.setFieldValue('isDisabled', !event.currentTarget.checked)
        form.setTouched({ ...form.getTouched(), isDisabled: true })
      }}
      mb="xs"
    />
  )
}

function InboundInput({ form, common: { label } }: InputProps) {
  const nodes = useQuery(nodesQuery(false)).data ?? []
  /** A typed address stays. */
  const addressWith = (inbound: Inbound | undefined) => {
    const address = inbound && addressOfInbound(inbound.uuid, nodes)
    return address !== undefined && form.values.address.trim() === '' ? { address } : {}
  }
  return (
    <section>
      <Title order={2} mb={4}>
        {label}
      </Title>
      <InboundsInput
        mode="single"
        selected={form.values.inbound === null ? [] : [form.values.inbound]}
        error={form.errors['inbound']}
        onChange={([inbound]) => {
          form.setValues({
            inbound: inbound ?? null,
            ...(inbound?.port ? { port: inbound.port } : {}),
            ...addressWith(inbound),
          })
          form.setTouched({ ...form.getTouched(), inbound: true })
          form.clearFieldError('inbound')
        }}
      />
    </section>
  )
}

function RemarkInput({ common }: InputProps) {
  const { t } = useTranslation('hosts')
  return (
    <TextInput
      description={t('field.remarkHint')}
      required
      data-autofocus
      // Where the form comes later than its dialog.
      autoFocus
      maxLength={REMARK_MAX_LENGTH}
      {...common}
    />
  )
}

function AddressInput({ common }: InputProps) {
  const { t } = useTranslation('hosts')
  return <MachineTextInput description={t('field.addressHint')} required {...common} />
}

function PortInput({ common }: InputProps) {
  const { t } = useTranslation('hosts')
  return <PortField description={t('field.portHint')} required {...common} />
}

function SecurityInput({ common }: InputProps) {
  const { t } = useTranslation('hosts')
  const data = securityLayer.options.map((value) => ({ value, label: t(`security.${value}`) }))
  return <Select data={data} allowDeselect={false} {...common} />
}

/** Empty: as the inbound says. */
function InboundsChoice({ options, ...common }: InputProps['common'] & { options: readonly string[] }) {
  const { t } = useTranslation('hosts')
  const value: unknown = common.value
  return (
    <Select
      placeholder={t('asInbound')}
      data={withPresent(options, typeof value === 'string' ? value : null)}
      clearable
      {...common}
    />
  )
}

function DescriptionInput({ common }: InputProps) {
  const { t } = useTranslation('hosts')
  return <TextInput description={t('field.serverDescriptionHint')} maxLength={SERVER_DESCRIPTION_MAX_LENGTH} {...common} />
}

function HostTagsInput({ common }: InputProps) {
  const { t } = useTranslation('hosts')
  const known = useQuery(hostTagsQuery()).data?.tags ?? []
  return <TagsField description={t('field.tagsHint')} data={known} maxTags={MOST_OWN_TAGS} {...common} />
}

type FlagName = 'shuffleHost' | 'mihomoX25519' | 'allowInsecure' | 'isHidden' | 'keepSniBlank'

function FlagInput({ form, name, common: { label } }: InputProps & { name: FlagName }) {
  const { t } = useTranslation('hosts')
  return <Switch label={label} description={t(`field.${name}Hint`)} {...form.getInputProps(name, { type: 'checkbox' })} />
}

function HintedText({ name, common }: InputProps & { name: 'pinnedPeerCertSha256' | 'verifyPeerCertByName' }) {
  const { t } = useTranslation('hosts')
  return <MachineTextInput description={t(`field.${name}Hint`)} {...common} />
}

function MapperInput({ form, common: { label } }: InputProps) {
  const { t } = useTranslation('hosts')
  const [isOpen, setIsOpen] = useState(false)
  const count = countSteps(mapperOf(form.values.mapper) ?? {})
  return (
    <>
      <Button variant="default" onClick={() => setIsOpen(true)}>
        {count === 0 ? label : t('additions.mapper.openCount', { count })}
      </Button>
      <MapperDrawer
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        initial={form.values.mapper}
        host={toCreateHost(form.values)}
        onApply={(mapper) => {
          form.setFieldValue('mapper', mapper)
          form.setTouched({ ...form.getTouched(), mapper: true })
        }}
      />
    </>
  )
}

function ExtraInput({ form, profiles, common: { label } }: InputProps) {
  const { t } = useTranslation('hosts')
  const [isOpen, setIsOpen] = useState(false)
  const canHave = canHaveExtra(form.values.inbound, profiles)
  return (
    <>
      <Button
        variant="default"
        disabled={!canHave}
        title={canHave ? undefined : t('extra.needsXhttp')}
        onClick={() => setIsOpen(true)}
      >
        {label}
      </Button>
      <XhttpExtraDrawer
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        initial={form.values.xHttpExtraParams}
        onApply={(xHttpExtraParams) => {
          form.setFieldValue('xHttpExtraParams', xHttpExtraParams)
          form.setTouched({ ...form.getTouched(), xHttpExtraParams: true })
        }}
      />
    </>
  )
}

/** The choices, and a value that is set although it is none of them. */
function withPresent(options: readonly string[], present: string | null): string[] {
  return present === null || options.includes(present) ? [...options] : [...options, present]
}
