import { Grid, Group, Select, Slider, Stack, Switch, Text, TextInput, Title } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { numberFormat } from '../../lib/numbers/formats.ts'
import { countryOptions } from '../../lib/countries.ts'
import { ZoneNote } from '../installation/parts/zone-note.tsx'
import { MachineTextInput } from '../../ui/inputs/inputs.tsx'
import { NumberField, PortField } from '../../ui/inputs/number-field.tsx'
import { InboundsInput } from '../config-profiles/parts/inbounds-input.tsx'
import { ProviderPicker } from '../infra-billing/parts/provider-picker.tsx'
import { NUMBER_RULES, type NodeForm } from './node-form.ts'

const MAX_MULTIPLIER = 10
const MULTIPLIER_STEP = 0.1

/** Inputs shared by create and edit. */
export function NodeFields({ form }: { form: UseFormReturnType<NodeForm> }) {
  const { t, i18n } = useTranslation('nodes')
  return (
    <Stack gap="lg" pb="lg">
      <Grid gap="sm">
        <Grid.Col span={{ base: 12, xs: 6 }}>
          <TextInput
            label={t('field.name')}
            description={t('field.nameHint')}
            required
            data-autofocus
            {...form.getInputProps('name')}
          />
        </Grid.Col>
        <Grid.Col span={{ base: 12, xs: 6 }}>
          <Select
            label={t('field.country')}
            description={t('field.countryHint')}
            data={countryOptions(i18n.language, t('field.unknownCountry'))}
            searchable
            required
            allowDeselect={false}
            {...form.getInputProps('countryCode')}
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
        <Grid.Col span={12}>
          <ProviderPicker
            label={t('field.provider')}
            description={t('field.providerHint')}
            clearable
            {...form.getInputProps('providerUuid')}
          />
        </Grid.Col>
      </Grid>

      <section>
        <Title order={2} mb={4}>
          {t('section.config')}
        </Title>
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
      </section>

      <section>
        <Title order={2} mb="sm">
          {t('section.traffic')}
        </Title>
        <TrafficFields form={form} />
      </section>
    </Stack>
  )
}

function TrafficFields({ form }: { form: UseFormReturnType<NodeForm> }) {
  const { t } = useTranslation('nodes')
  return (
    <Stack gap="sm">
      <Switch
        label={t('field.tracking')}
        description={t('field.trackingHint')}
        {...form.getInputProps('isTrafficTrackingActive', { type: 'checkbox' })}
      />
      {form.values.isTrafficTrackingActive && (
        <Group grow align="flex-start" gap="sm" preventGrowOverflow={false}>
          <NumberField
            label={t('field.limit')}
            unit="GiB"
            rule={NUMBER_RULES.trafficLimitGib}
            {...form.getInputProps('trafficLimitGib')}
          />
          <NumberField
            label={t('field.resetDay')}
            description={<ZoneNote />}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            rule={NUMBER_RULES.trafficResetDay}
            {...form.getInputProps('trafficResetDay')}
          />
          <NumberField
            label={t('field.notify')}
            unit="%"
            rule={NUMBER_RULES.notifyPercent}
            {...form.getInputProps('notifyPercent')}
          />
        </Group>
      )}
      <MultiplierField form={form} />
    </Stack>
  )
}

/** How many bytes each byte of this node counts for its user. */
function MultiplierField({ form }: { form: UseFormReturnType<NodeForm> }) {
  const { t, i18n } = useTranslation('nodes')
  const multiplier = numberFormat(i18n.language, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
  return (
    <div>
      <Group justify="space-between">
        <Text size="sm" fw={500}>
          {t('field.multiplier')}
        </Text>
        <Text size="sm" c="var(--accent)" fw={600}>
          <bdi>{multiplier.format(form.values.consumptionMultiplier)}×</bdi>
        </Text>
      </Group>
      <Text size="xs" c="dimmed" mb="xs">
        {t('field.multiplierHint')}
      </Text>
      <Slider
        thumbLabel={t('field.multiplier')}
        min={MULTIPLIER_STEP}
        max={MAX_MULTIPLIER}
        step={MULTIPLIER_STEP}
        label={null}
        marks={[{ value: 1 }, { value: 5 }, { value: 10 }]}
        mx="xs"
        {...form.getInputProps('consumptionMultiplier')}
      />
    </div>
  )
}
