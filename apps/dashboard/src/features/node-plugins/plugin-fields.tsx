import type { PluginConfig } from '@causeway/contract'
import { Stack, Switch, TagsInput, Text, Textarea } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { numberOf } from '../../lib/numbers/number-entry.ts'
import { NumberField } from '../../ui/inputs/number-field.tsx'
import { entriesOf, numbersOf, type PluginPart } from './node-plugins.rules.ts'
import classes from './node-plugins.module.css'

interface Props {
  config: PluginConfig
  onChange: (config: PluginConfig) => void
}

const MINUTE = 60
/** Minutes; ten years. */
const MINUTES = { decimals: 0, min: 0, max: 5_256_000 } as const

/** The parts of a plugin. Settings that only the JSON has stay as they are. */
export function PluginFields({ config, onChange }: Props) {
  const { t } = useTranslation('node-plugins')
  const { torrentBlocker, ingressFilter, egressFilter, connectionDrop } = config
  const torrents = { enabled: false, blockDuration: 600, ...torrentBlocker }
  const ingress = { enabled: false, blockedIps: [], ...ingressFilter }
  const egress = { enabled: false, ...egressFilter }
  const drop = { enabled: false, ...connectionDrop }
  const part = (name: Exclude<PluginPart, 'preStart'>, isOn: boolean, toggle: (enabled: boolean) => void, fields: ReactNode) => (
    <section className={classes['part']}>
      <Switch
        label={t(`part.${name}`)}
        description={t(`partHint.${name}`)}
        checked={isOn}
        onChange={(event) => toggle(event.currentTarget.checked)}
      />
      {isOn && (
        <Stack gap="sm" mt="sm">
          {fields}
        </Stack>
      )}
    </section>
  )
  const setTorrents = (change: Partial<typeof torrents>) => onChange({ ...config, torrentBlocker: { ...torrents, ...change } })
  const setIngress = (change: Partial<typeof ingress>) => onChange({ ...config, ingressFilter: { ...ingress, ...change } })
  const setEgress = (change: Partial<typeof egress>) => onChange({ ...config, egressFilter: { ...egress, ...change } })
  const setDrop = (change: Partial<typeof drop>) => onChange({ ...config, connectionDrop: { ...drop, ...change } })
  return (
    <Stack gap="md" mb="lg">
      {part(
        'torrentBlocker',
        torrents.enabled,
        (enabled) => setTorrents({ enabled }),
        <>
          <NumberField
            label={t('field.blockMinutes')}
            description={t('field.blockMinutesHint')}
            rule={MINUTES}
            value={torrents.blockDuration / MINUTE}
            onChange={(entry) => setTorrents({ blockDuration: Math.round((numberOf(entry) ?? 0) * MINUTE) })}
          />
          <Networks
            label={t('field.exceptAddresses')}
            value={torrents.ignoreLists?.ip ?? []}
            onChange={(ip) => setTorrents({ ignoreLists: { ...torrents.ignoreLists, ip } })}
          />
          <TagsInput
            label={t('field.exceptUsers')}
            description={t('field.exceptUsersHint')}
            dir="ltr"
            value={(torrents.ignoreLists?.userId ?? []).map(String)}
            onChange={(words) => setTorrents({ ignoreLists: { ...torrents.ignoreLists, userId: numbersOf(words) } })}
          />
          <Text size="xs" c="dimmed">
            {t('field.sniffing')}
          </Text>
        </>,
      )}
      {part(
        'ingressFilter',
        ingress.enabled,
        (enabled) => setIngress({ enabled }),
        <Networks
          label={t('field.blockedFrom')}
          value={ingress.blockedIps}
          onChange={(blockedIps) => setIngress({ blockedIps })}
        />,
      )}
      {part(
        'egressFilter',
        egress.enabled,
        (enabled) => setEgress({ enabled }),
        <>
          <Networks
            label={t('field.blockedTo')}
            value={egress.blockedIps ?? []}
            onChange={(blockedIps) => setEgress({ blockedIps })}
          />
          <TagsInput
            label={t('field.blockedPorts')}
            dir="ltr"
            splitChars={[',', ' ', ';']}
            value={(egress.blockedPorts ?? []).map(String)}
            onChange={(words) => setEgress({ blockedPorts: numbersOf(words) })}
          />
        </>,
      )}
      {part(
        'connectionDrop',
        drop.enabled,
        (enabled) => setDrop({ enabled }),
        <Networks
          label={t('field.keptAddresses')}
          value={drop.whitelistIps ?? []}
          onChange={(whitelistIps) => setDrop({ whitelistIps })}
        />,
      )}
    </Stack>
  )
}

interface NetworksProps {
  label: string
  value: readonly string[]
  onChange: (entries: string[]) => void
}

/** A network in each line. The text stays as it is typed. */
export function Networks({ label, value, onChange }: NetworksProps) {
  const { t } = useTranslation('node-plugins')
  const [text, setText] = useState(() => value.join('\n'))
  return (
    <Textarea
      label={label}
      description={t('field.networksHint')}
      dir="ltr"
      autosize
      minRows={2}
      maxRows={8}
      spellCheck={false}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value)
        onChange(entriesOf(event.currentTarget.value))
      }}
    />
  )
}
