import {
  alpn,
  fingerprint,
  REMARK_MAX_LENGTH,
  securityLayer,
  SERVER_DESCRIPTION_MAX_LENGTH,
  type ConfigProfile,
} from '@causeway/contract'
import { Accordion, Button, Grid, Select, Stack, Switch, TextInput, Title } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MachineTextInput } from '../../ui/inputs/inputs.tsx'
import { PortField } from '../../ui/inputs/number-field.tsx'
import { InboundsInput } from '../config-profiles/parts/inbounds-input.tsx'
import type { HostForm } from './host-form.ts'
import { HostNodesField } from './host-nodes-field.tsx'
import { canHaveExtra } from './hosts.rules.ts'
import { XhttpExtraDrawer } from './xhttp-extra-drawer.tsx'

interface Props {
  form: UseFormReturnType<HostForm>
  profiles: readonly ConfigProfile[]
}

/** Inputs shared by create and edit. */
export function HostFields({ form, profiles }: Props) {
  const { t } = useTranslation('hosts')
  return (
    <Stack gap="lg" pb="lg">
      <Switch label={t('field.enabled')} {...form.getInputProps('isEnabled', { type: 'checkbox' })} />
      <section>
        <Title order={2} mb={4}>
          {t('field.inbound')}
        </Title>
        <InboundsInput
          mode="single"
          selected={form.values.inbound === null ? [] : [form.values.inbound]}
          error={form.errors['inbound']}
          onChange={([inbound]) => {
            form.setValues({ inbound: inbound ?? null, ...(inbound?.port ? { port: inbound.port } : {}) })
            form.setTouched({ ...form.getTouched(), inbound: true })
            form.clearFieldError('inbound')
          }}
        />
      </section>
      <Grid gap="sm">
        <Grid.Col span={12}>
          <TextInput
            label={t('field.remark')}
            description={t('field.remarkHint')}
            required
            data-autofocus
            maxLength={REMARK_MAX_LENGTH}
            {...form.getInputProps('remark')}
          />
        </Grid.Col>
        <Grid.Col span={{ base: 8, xs: 9 }}>
          <MachineTextInput
            label={t('field.address')}
            description={t('field.addressHint')}
            required
            {...form.getInputProps('address')}
          />
        </Grid.Col>
        <Grid.Col span={{ base: 4, xs: 3 }}>
          <PortField label={t('field.port')} description={t('field.portHint')} required {...form.getInputProps('port')} />
        </Grid.Col>
      </Grid>
      <Accordion variant="contained">
        <Accordion.Item value="advanced">
          <Accordion.Control>{t('advanced')}</Accordion.Control>
          <Accordion.Panel>
            <AdvancedFields form={form} profiles={profiles} />
          </Accordion.Panel>
        </Accordion.Item>
      </Accordion>
    </Stack>
  )
}

function AdvancedFields({ form, profiles }: Props) {
  const { t } = useTranslation('hosts')
  const [isExtraOpen, setIsExtraOpen] = useState(false)
  const half = { base: 12, xs: 6 } as const
  return (
    <Grid gap="sm">
      <Grid.Col span={half}>
        <MachineTextInput label={t('field.sni')} {...form.getInputProps('sni')} />
      </Grid.Col>
      <Grid.Col span={half}>
        <MachineTextInput label={t('field.host')} {...form.getInputProps('host')} />
      </Grid.Col>
      <Grid.Col span={half}>
        <MachineTextInput label={t('field.path')} {...form.getInputProps('path')} />
      </Grid.Col>
      <Grid.Col span={half}>
        <Select
          label={t('field.securityLayer')}
          data={securityLayer.options.map((value) => ({ value, label: t(`security.${value}`) }))}
          allowDeselect={false}
          {...form.getInputProps('securityLayer')}
        />
      </Grid.Col>
      <Grid.Col span={half}>
        <Select
          label={t('field.alpn')}
          placeholder={t('asInbound')}
          data={withPresent(alpn.options, form.values.alpn)}
          clearable
          {...form.getInputProps('alpn')}
        />
      </Grid.Col>
      <Grid.Col span={half}>
        <Select
          label={t('field.fingerprint')}
          placeholder={t('asInbound')}
          data={withPresent(fingerprint.options, form.values.fingerprint)}
          clearable
          {...form.getInputProps('fingerprint')}
        />
      </Grid.Col>
      <Grid.Col span={12}>
        <TextInput
          label={t('field.serverDescription')}
          description={t('field.serverDescriptionHint')}
          maxLength={SERVER_DESCRIPTION_MAX_LENGTH}
          {...form.getInputProps('serverDescription')}
        />
      </Grid.Col>
      <Grid.Col span={12}>
        <HostNodesField form={form} />
      </Grid.Col>
      <Grid.Col span={half}>
        <Switch
          label={t('field.shuffleHost')}
          description={t('field.shuffleHostHint')}
          {...form.getInputProps('shuffleHost', { type: 'checkbox' })}
        />
      </Grid.Col>
      <Grid.Col span={half}>
        <Switch
          label={t('field.mihomoX25519')}
          description={t('field.mihomoX25519Hint')}
          {...form.getInputProps('mihomoX25519', { type: 'checkbox' })}
        />
      </Grid.Col>
      <Grid.Col span={half}>
        <Switch
          label={t('field.allowInsecure')}
          description={t('field.allowInsecureHint')}
          {...form.getInputProps('allowInsecure', { type: 'checkbox' })}
        />
      </Grid.Col>
      <Grid.Col span={12}>
        <Button
          variant="default"
          disabled={!canHaveExtra(form.values.inbound, profiles)}
          title={canHaveExtra(form.values.inbound, profiles) ? undefined : t('extra.needsXhttp')}
          onClick={() => setIsExtraOpen(true)}
        >
          {t('extra.open')}
        </Button>
      </Grid.Col>
      <XhttpExtraDrawer
        isOpen={isExtraOpen}
        onClose={() => setIsExtraOpen(false)}
        initial={form.values.xHttpExtraText}
        onApply={(xHttpExtraText) => {
          form.setFieldValue('xHttpExtraText', xHttpExtraText)
          form.setTouched({ ...form.getTouched(), xHttpExtraText: true })
        }}
      />
    </Grid>
  )
}

/** What can be chosen, and what is there although it cannot. */
function withPresent(options: readonly string[], present: string | null): string[] {
  return present === null || options.includes(present) ? [...options] : [...options, present]
}
