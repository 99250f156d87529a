import { Accordion, Code, List, Stack, Text } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

/** Apps that take a whole configuration, and from which version on; null: from any. */
const CLIENTS = [
  { name: 'v2rayNG', version: '1.8.29' },
  { name: 'V2rayN', version: '6.40' },
  { name: 'Streisand', version: null },
  { name: 'Happ', version: null },
  { name: 'V2Box', version: null },
  { name: 'ktor-client', version: null },
] as const

/** How clients get the JSON: collapsed at first. */
export function XrayJsonHelp() {
  const { t } = useTranslation('subscription-templates')
  return (
    <Accordion variant="contained" mb="md" order={2}>
      <Accordion.Item value="help">
        <Accordion.Control icon={<IconInfoCircle size={18} aria-hidden />}>{t('help.title')}</Accordion.Control>
        <Accordion.Panel>
          <Stack gap="xs" maw="75ch">
            <Text size="sm">{t('help.how')}</Text>
            <Code dir="ltr">https://sub.example.com/…/json</Code>
            <Text size="sm">{t('help.clients')}</Text>
            <List size="sm">
              {CLIENTS.map(({ name, version }) => (
                <List.Item key={name}>
                  <bdi>{name}</bdi> {version === null ? t('help.anyVersion') : t('help.fromVersion', { version })}
                </List.Item>
              ))}
            </List>
          </Stack>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  )
}
