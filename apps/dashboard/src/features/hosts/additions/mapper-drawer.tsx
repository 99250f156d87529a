import { type CallInput, type previewHostMapper } from '@causeway/contract'
import { Alert, Button, List, Tabs, Text, Textarea } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DrawerFrame, FrameFooter, useFrameDirty } from '../../../ui/frames/frames.tsx'
import { mapperPreviewQuery } from '../hosts.queries.ts'
import { mapperProblem, mapperOf, MAPPER_SAMPLE, type MapperText } from './host-mapper.ts'
import classes from './mapper.module.css'

/** Everything of the host but its mapper; undefined while it cannot be shown. */
export type PreviewedHost = Omit<CallInput<typeof previewHostMapper>, 'mapper'>

interface Props {
  isOpen: boolean
  onClose: () => void
  initial: MapperText
  host: PreviewedHost | undefined
  onApply: (text: MapperText) => void
}

const PAUSE_MS = 400

/** Steps that change what clients get of the host, with the result beside them as one types. */
export function MapperDrawer({ isOpen, onClose, ...form }: Props) {
  const { t } = useTranslation('hosts')
  return (
    <DrawerFrame isOpen={isOpen} onClose={onClose} title={t('additions.mapper.title')} width={980}>
      <MapperForm {...form} onClose={onClose} />
    </DrawerFrame>
  )
}

function MapperForm({ initial, host, onApply, onClose }: Omit<Props, 'isOpen'>) {
  const { t } = useTranslation('hosts')
  const [text, setText] = useState(initial)
  const [isApplied, setIsApplied] = useState(false)
  const problem = mapperProblem(text)
  useFrameDirty(!isApplied && text !== initial)

  function apply(): void {
    setIsApplied(true)
    onApply(text)
    onClose()
  }
  return (
    <>
      <div className={classes['both']}>
        <Textarea
          label={t('additions.mapper.label')}
          description={t('additions.mapper.hint')}
          dir="ltr"
          autosize
          minRows={16}
          maxRows={30}
          spellCheck={false}
          classNames={{ input: classes['code'] ?? '' }}
          value={text}
          error={problem === undefined ? undefined : t('additions.mapper.invalid', { problem })}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        {host ? (
          <Result host={host} text={text} isUsable={problem === undefined} />
        ) : (
          <Text c="dimmed">{t('additions.mapper.first')}</Text>
        )}
      </div>
      <FrameFooter>
        <Button variant="default" me="auto" onClick={() => setText(MAPPER_SAMPLE)}>
          {t('extra.sample')}
        </Button>
        <Button disabled={problem !== undefined} onClick={apply}>
          {t('extra.apply')}
        </Button>
      </FrameFooter>
    </>
  )
}

const CLIENTS = { xrayJson: 'Xray JSON', mihomo: 'Mihomo', singbox: 'sing-box', base64: 'Base64' } as const

function Result({ host, text, isUsable }: { host: PreviewedHost; text: MapperText; isUsable: boolean }) {
  const { t } = useTranslation('hosts')
  const [shown] = useDebouncedValue(text, PAUSE_MS)
  const mapper = mapperOf(shown)
  const preview = useQuery({
    ...mapperPreviewQuery({ ...host, mapper: mapper ?? {} }),
    enabled: isUsable && mapper !== undefined,
  })
  const textOf = (client: keyof typeof CLIENTS) => {
    const value: unknown = preview.data?.[client]
    if (preview.data === undefined) return ''
    if (value === null) return t('additions.mapper.noWords')
    return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  }
  const problems = preview.data?.problems ?? []
  return (
    <section aria-label={t('additions.mapper.result')}>
      {problems.length > 0 && (
        <Alert color="red" mb="sm" role="status">
          <List size="sm">
            {problems.map(({ client, step, field, message }) => (
              <List.Item key={`${client} ${step}`}>
                <bdi>
                  {CLIENTS[client]} {step + 1}, {field}: {message}
                </bdi>
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
      {preview.isError && (
        <Alert color="red" mb="sm">
          {preview.error.message}
        </Alert>
      )}
      <Tabs defaultValue="xrayJson" keepMounted={false}>
        <Tabs.List>
          {Object.entries(CLIENTS).map(([client, name]) => (
            <Tabs.Tab key={client} value={client}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {(['xrayJson', 'mihomo', 'singbox', 'base64'] as const).map((client) => (
          <Tabs.Panel key={client} value={client} pt="xs">
            <pre className={classes['result']} dir="ltr">
              {textOf(client)}
            </pre>
          </Tabs.Panel>
        ))}
      </Tabs>
    </section>
  )
}
