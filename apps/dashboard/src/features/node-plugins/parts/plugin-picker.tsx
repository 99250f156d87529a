import { Select, type SelectProps } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { pluginsQuery } from '../node-plugins.queries.ts'

/** Chooses one of the plugins, by name; its value is the uuid. */
export function PluginPicker(props: Omit<SelectProps, 'data'>) {
  const { data } = useQuery(pluginsQuery())
  return (
    <Select
      searchable
      clearable
      {...props}
      data={(data?.nodePlugins ?? []).map(({ uuid, name }) => ({ value: uuid, label: name }))}
    />
  )
}
