import { nodeIpStatus, type NodeIp } from '@causeway/contract'
import { ActionIcon, Button, Group, Input, Select, Stack } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { MachineTextInput } from '../../../ui/inputs/inputs.tsx'

/** As the wire has it. */
const MOST_IPS = 64

interface Props {
  label: string
  value: readonly NodeIp[]
  error?: React.ReactNode
  onChange: (ips: NodeIp[]) => void
}

/** Addresses of a node, each with what it is for. */
export function IpListField({ label, value, error, onChange }: Props) {
  const { t } = useTranslation('nodes')
  const change = (index: number, part: Partial<NodeIp>) =>
    onChange(value.map((each, place) => (place === index ? { ...each, ...part } : each)))
  return (
    <Input.Wrapper label={label} description={t('field.ipsHint')} error={error} labelElement="div">
      <Stack gap="xs" mt={6}>
        {value.map(({ ip, status }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- rows have nothing of their own but their place
          <Group key={index} gap="xs" wrap="nowrap" align="flex-start">
            <MachineTextInput
              aria-label={t('field.ipAt', { number: index + 1 })}
              placeholder="192.0.2.1"
              value={ip}
              onChange={(event) => change(index, { ip: event.currentTarget.value.trim() })}
              style={{ flex: 1, minWidth: 0 }}
            />
            <Select
              aria-label={t('field.ipStatusAt', { number: index + 1 })}
              data={nodeIpStatus.options.map((option) => ({ value: option, label: t(`ipStatus.${option}`) }))}
              value={status}
              allowDeselect={false}
              onChange={(chosen) => change(index, { status: nodeIpStatus.options.find((option) => option === chosen) ?? status })}
              w={150}
            />
            <ActionIcon
              size="input-sm"
              color="red.7"
              aria-label={t('field.ipRemove', { ip: ip || index + 1 })}
              onClick={() => onChange(value.filter((_, place) => place !== index))}
            >
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          </Group>
        ))}
        <Button
          variant="default"
          size="compact-md"
          leftSection={<IconPlus size={16} aria-hidden />}
          disabled={value.length >= MOST_IPS}
          onClick={() => onChange([...value, { ip: '', status: 'OUTBOUND' }])}
          style={{ alignSelf: 'flex-start' }}
        >
          {t('field.ipAdd')}
        </Button>
      </Stack>
    </Input.Wrapper>
  )
}
