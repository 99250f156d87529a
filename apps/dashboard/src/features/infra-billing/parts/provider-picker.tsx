import type { Provider } from '@causeway/contract'
import { Select, type SelectProps } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { providersQuery } from '../infra-billing.queries.ts'
import { ProviderIcon } from './provider-icon.tsx'
import classes from './provider-picker.module.css'

type Props = Omit<SelectProps, 'data' | 'renderOption' | 'leftSection'> & { 'data-autofocus'?: true | undefined }

/** Chooses one of the providers, by name; its value is the uuid. */
export function ProviderPicker(props: Props) {
  const { data } = useQuery(providersQuery())
  const providers = new Map<string, Provider>((data?.providers ?? []).map((provider) => [provider.uuid, provider]))
  const chosen = providers.get(props.value ?? '')
  return (
    <Select
      searchable
      // The dialog's first field must not open its list over the other fields.
      openOnFocus={!props['data-autofocus']}
      {...props}
      data={[...providers.values()].map(({ uuid, name }) => ({ value: uuid, label: name }))}
      leftSection={chosen && <ProviderIcon provider={chosen} />}
      renderOption={({ option }) => {
        const provider = providers.get(option.value)
        return (
          <span className={classes['option']}>
            {provider && <ProviderIcon provider={provider} />}
            {option.label}
          </span>
        )
      }}
    />
  )
}
