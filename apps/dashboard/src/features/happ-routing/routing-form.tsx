import { Accordion, Button, Group, SegmentedControl, Select, Stack, Switch, Text, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { MachineTextInput } from '../../ui/inputs/inputs.tsx'
import {
  choiceOf,
  hostsOf,
  parseRouting,
  listOf,
  textOf,
  timestamp,
  toHosts,
  toList,
  type ListKey,
  type RoutingConfig,
} from './happ-routing.rules.ts'
import { LinesField } from './lines-field.tsx'

interface Props {
  config: RoutingConfig
  onChange: (key: string, value: unknown) => void
}

const SECTIONS = ['basic', 'remoteDns', 'domesticDns', 'geo', 'hosts', 'direct', 'proxy', 'block'] as const
const STRATEGIES = ['IPIfNonMatch', 'AsIs', 'IPOnDemand'] as const

/** The configuration in words, a section at a time. */
export function RoutingForm(props: Props) {
  const { t } = useTranslation('happ-routing')
  const panels: Record<(typeof SECTIONS)[number], React.ReactNode> = {
    basic: <Basic {...props} />,
    remoteDns: <Dns {...props} which="Remote" preferred="DoH" />,
    domesticDns: <Dns {...props} which="Domestic" preferred="DoU" />,
    geo: <Geo {...props} />,
    hosts: <Hosts {...props} />,
    direct: <Lists {...props} sites="DirectSites" addresses="DirectIp" />,
    proxy: <Lists {...props} sites="ProxySites" addresses="ProxyIp" />,
    block: <Lists {...props} sites="BlockSites" addresses="BlockIp" />,
  }
  return (
    <Accordion multiple defaultValue={['basic']} variant="separated">
      {SECTIONS.map((section) => (
        <Accordion.Item key={section} value={section}>
          <Accordion.Control>{t(`section.${section}`)}</Accordion.Control>
          <Accordion.Panel>
            <Stack gap="sm">{panels[section]}</Stack>
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  )
}

function Basic({ config, onChange }: Props) {
  const { t } = useTranslation('happ-routing')
  return (
    <>
      <TextInput
        label={t('field.Name')}
        value={textOf(config, 'Name')}
        onChange={(event) => onChange('Name', event.currentTarget.value)}
      />
      <Flag config={config} onChange={onChange} name="GlobalProxy" fallback="true" />
      <Flag config={config} onChange={onChange} name="FakeDNS" fallback="false" />
      <Flag config={config} onChange={onChange} name="UseChunkFiles" fallback="true" />
      <Select
        label={t('field.DomainStrategy')}
        data={[...STRATEGIES]}
        allowDeselect={false}
        value={choiceOf(config, 'DomainStrategy', STRATEGIES)}
        onChange={(value) => onChange('DomainStrategy', value)}
      />
    </>
  )
}

interface FlagProps extends Props {
  name: 'GlobalProxy' | 'FakeDNS' | 'UseChunkFiles'
  fallback: 'true' | 'false'
}

/** On and off are the texts 'true' and 'false' there. */
function Flag({ config, onChange, name, fallback }: FlagProps) {
  const { t } = useTranslation('happ-routing')
  const words = fallback === 'true' ? (['true', 'false'] as const) : (['false', 'true'] as const)
  return (
    <Switch
      label={t(`field.${name}`)}
      description={t(`hint.${name}`)}
      checked={choiceOf(config, name, words) === 'true'}
      onChange={(event) => onChange(name, String(event.currentTarget.checked))}
    />
  )
}

function Dns({ config, onChange, which, preferred }: Props & { which: 'Remote' | 'Domestic'; preferred: 'DoH' | 'DoU' }) {
  const { t } = useTranslation('happ-routing')
  const words = preferred === 'DoH' ? (['DoH', 'DoU'] as const) : (['DoU', 'DoH'] as const)
  const type = `${which}DNSType` as const
  return (
    <>
      <div>
        <Text size="sm" fw={500} mb={4}>
          {t('field.type')}
        </Text>
        <SegmentedControl
          aria-label={t(`field.${type}`)}
          data={['DoH', 'DoU']}
          value={choiceOf(config, type, words)}
          onChange={(value) => onChange(type, value)}
        />
      </div>
      <MachineTextInput
        label={t('field.dnsDomain')}
        value={textOf(config, `${which}DNSDomain`)}
        onChange={(event) => onChange(`${which}DNSDomain`, event.currentTarget.value)}
      />
      <MachineTextInput
        label={t('field.dnsIp')}
        value={textOf(config, `${which}DNSIP`)}
        onChange={(event) => onChange(`${which}DNSIP`, event.currentTarget.value)}
      />
    </>
  )
}

function Geo({ config, onChange }: Props) {
  const { t } = useTranslation('happ-routing')
  return (
    <>
      {(['Geoipurl', 'Geositeurl'] as const).map((key) => (
        <MachineTextInput
          key={key}
          label={t(`field.${key}`)}
          value={textOf(config, key)}
          onChange={(event) => onChange(key, event.currentTarget.value)}
        />
      ))}
      <Group align="flex-end" gap="xs" wrap="nowrap">
        <MachineTextInput
          flex={1}
          label={t('field.LastUpdated')}
          description={t('hint.LastUpdated')}
          value={textOf(config, 'LastUpdated')}
          onChange={(event) => onChange('LastUpdated', event.currentTarget.value)}
        />
        <Button variant="default" onClick={() => onChange('LastUpdated', timestamp(new Date()))}>
          {t('now')}
        </Button>
      </Group>
    </>
  )
}

function Hosts({ config, onChange }: Props) {
  const { t } = useTranslation('happ-routing')
  const written = (hosts: Record<string, unknown>) => JSON.stringify(hosts, null, 2)
  return (
    <LinesField
      label={t('field.DnsHosts')}
      description={t('hint.DnsHosts')}
      value={written(hostsOf(config))}
      normalise={(text) => written(toHosts(text))}
      problemOf={(text) => (text.trim() === '' || parseRouting(text) ? undefined : t('noHosts'))}
      onChange={(text) => onChange('DnsHosts', toHosts(text))}
    />
  )
}

function Lists({ config, onChange, sites, addresses }: Props & { sites: ListKey; addresses: ListKey }) {
  const { t } = useTranslation('happ-routing')
  return ([sites, addresses] as const).map((key) => (
    <LinesField
      key={key}
      label={t(`field.${key}`)}
      description={t('hint.lines')}
      value={listOf(config, key).join('\n')}
      normalise={(text) => toList(text).join('\n')}
      onChange={(text) => onChange(key, toList(text))}
    />
  ))
}
